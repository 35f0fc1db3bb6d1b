/// Checkpoint format of llm.c: 256 int32, then every tensor of all layers in sequence, all fp32 or all bf16.
///
///   header  20240326, version (3: fp32, 5: bf16), max_seq_len, vocab_size, num_layers, num_heads, channels,
///           padded_vocab_size, zeros
///   tensors wte [padded vocabulary][channels], wpe, then of the blocks ln_1.weight [layer][channels], ln_1.bias, ...,
///           mlp.c_proj.bias, then ln_f.weight, ln_f.bias; a block's matrices are [out][in]
///
/// Models in this format have shared embeddings, a filter size of 4 * channels and a norm epsilon of 1e-5.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "host/checkpoint/safetensors.hpp"
#include "sw/compiler/plan/plan.hpp"

namespace weft::formats {

inline constexpr std::int32_t kLlmcMagic = 20240326;
inline constexpr std::uint64_t kLlmcHeader = 1024;  ///< bytes
inline constexpr int kLlmcPadding = 128;            ///< the vocabulary is padded to a multiple of it

/// Position of a tensor of the model in the file.
struct LlmcPlace {
  std::size_t tensor = 0;     ///< index in the model's list
  std::uint64_t element = 0;  ///< offset of its first number from the header's end
  bool turned = false;        ///< [out][in] in the file, [in][out] in the model
};

struct LlmcLayout {
  int padded_vocab = 0;
  std::uint64_t elements = 0;     ///< in the file, with padding
  std::vector<LlmcPlace> places;  ///< in the order of the file
};

/// Size of the vocabulary with the padding that llm.c adds.
inline int llmc_padded(int vocab) { return (vocab + kLlmcPadding - 1) / kLlmcPadding * kLlmcPadding; }

/// The layout of a model that llm.c supports. Throws Refusal about the key of an unsupported property.
LlmcLayout llmc_layout(const compiler::ModelShape& model, std::span<const compiler::TensorInfo> tensors,
                       int padded_vocab);

std::vector<std::int32_t> llmc_header(const compiler::ModelShape& model, checkpoint::Dtype dtype, int padded_vocab);

}  // namespace weft::formats
