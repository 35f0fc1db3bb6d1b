/// The parameter tensors of a GPT-2, in the one order that the whole project uses.
#pragma once

#include <string_view>
#include <vector>

#include "sw/compiler/plan.hpp"

namespace weft {

/// wte, wpe, the layers in order (ln_1, attn.c_attn, attn.c_proj, ln_2, mlp.c_fc, mlp.c_proj; each weight, then bias),
/// ln_f, and lm_head.weight if the head is not tied. Names, shapes and initial distributions are those of Hugging
/// Face's GPT-2; offsets are dense. Weight decay applies to tensors of two dimensions.
std::vector<TensorInfo> gpt2_tensors(const ModelShape& model);

/// Elements of the flat parameter vector.
std::uint64_t parameter_count(const std::vector<TensorInfo>& tensors);

/// The tensor called `name`. Throws std::out_of_range naming it.
const TensorInfo& find_tensor(const std::vector<TensorInfo>& tensors, std::string_view name);

}  // namespace weft
