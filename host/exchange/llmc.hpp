/// The checkpoint of llm.c: 256 int32, then every tensor of all layers after the other, all fp32 or all bf16.
///
///   header  20240326, version (3: fp32, 5: bf16), max_seq_len, vocab_size, num_layers, num_heads, channels,
///           padded_vocab_size, zeros
///   tensors wte [padded vocabulary][channels], wpe, then of the blocks ln_1.weight [layer][channels], ln_1.bias, ...,
///           mlp.c_proj.bias, then ln_f.weight, ln_f.bias; a block's matrices are [out][in]
///
/// It has no head of its own, a filter of 4 channels and 1e-5 in its norms.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "host/checkpoint/safetensors.hpp"
#include "sw/compiler/plan.hpp"

namespace weft {

inline constexpr std::int32_t kLlmcMagic = 20240326;
inline constexpr std::uint64_t kLlmcHeader = 1024;  ///< bytes
inline constexpr int kLlmcPadding = 128;            ///< of which its vocabulary is made a multiple

/// Where a tensor of the model is in the file.
struct LlmcPlace {
  std::size_t tensor = 0;     ///< number in the model's list
  std::uint64_t element = 0;  ///< of the file's first number of it, counted from the header's end
  bool turned = false;        ///< [out][in] there, [in][out] in the model
};

struct LlmcLayout {
  int padded_vocab = 0;
  std::uint64_t elements = 0;     ///< of the file, with padding
  std::vector<LlmcPlace> places;  ///< as they lie
};

/// The vocabulary with its padding, as llm.c writes it.
inline int llmc_padded(int vocab) { return (vocab + kLlmcPadding - 1) / kLlmcPadding * kLlmcPadding; }

/// Of a model that llm.c has. Throws Refusal of the key of what it has not.
LlmcLayout llmc_layout(const ModelShape& model, std::span<const TensorInfo> tensors, int padded_vocab);

std::vector<std::int32_t> llmc_header(const ModelShape& model, Dtype dtype, int padded_vocab);

}  // namespace weft
