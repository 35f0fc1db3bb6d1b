/// Weights alone, for other programs.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "host/checkpoint/reader.hpp"

namespace weft {

/// Is told, again and again, how many elements are written by now.
using Written = std::function<void(std::uint64_t)>;

/// A safetensors file with the names of Hugging Face's classes: "transformer.wte.weight", "lm_head.weight". `dtype`:
/// F32 (the same bits), BF16 or F16 (the nearest, ties to even). Throws Refusal for a number that F16 has not.
void write_hf_weights(const std::string& file, const CheckpointReader& weights, std::span<const TensorInfo> tensors,
                      Dtype dtype, const Written& written = {});

/// A checkpoint of llm.c, F32 or BF16. Throws Refusal of the key of what llm.c has not.
void write_llmc(const std::string& file, const CheckpointReader& weights, const ModelShape& model,
                std::span<const TensorInfo> tensors, Dtype dtype, const Written& written = {});

}  // namespace weft
