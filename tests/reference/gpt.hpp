/// GPT-2 in plain double precision, forward and backward: the reference for kernels and whole training steps.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "sw/compiler/plan/plan.hpp"

namespace weft::reference {

struct ReferenceResult {
  double loss_sum = 0;       ///< d loss_sum / d parameter, laid out like the parameters
  std::vector<double> grad;  ///< d loss_sum / d parameter, laid out as the parameters

  /// Activations by name, [tokens][features]:
  ///   "embed", then per layer N "h.N.ln_1", "h.N.attn.c_attn" (q, k, v), "h.N.attn.probs"
  ///   [sequences][heads][seq][seq], "h.N.attn.heads" (before the projection), "h.N.attn.c_proj", "h.N.residual_1",
  ///   "h.N.ln_2", "h.N.mlp.c_fc" (before GELU), "h.N.mlp.gelu", "h.N.mlp.c_proj", "h.N.residual_2", then "ln_f",
  ///   "logits" and "loss" [tokens].
  /// With "d " in front (all but "loss"): the whole gradient of loss_sum with respect to it.
  std::map<std::string, std::vector<double>> activations;
};

/// `params`: laid out by `tensors` (Hugging Face names, sw/compiler/model/tensors.hpp). `inputs`, `labels`:
/// [sequences][seq], any number of sequences. With `round_weights_to_bf16` every parameter is first rounded as it is
/// for streaming.
ReferenceResult reference_gpt(const compiler::ModelShape& model, const std::vector<compiler::TensorInfo>& tensors,
                              std::span<const float> params, std::span<const TokenId> inputs,
                              std::span<const TokenId> labels, bool round_weights_to_bf16 = true);

/// Rounds to bf16, nearest even, subnormals (before or after) to zero of their sign (docs/reference/numbers.md).
float round_to_bf16(float x);

}  // namespace weft::reference
