/// Writes weights without optimizer state, for other programs.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "host/checkpoint/reader.hpp"

namespace weft::formats {

/// Called repeatedly with the number of elements written so far.
using Written = std::function<void(std::uint64_t)>;

/// Writes a safetensors file with the names of Hugging Face's classes: "transformer.wte.weight", "lm_head.weight", and
/// for LLaMA "model.layers.0.mlp.up_proj.weight".
/// `dtype`: F32 (the same bits), BF16 or F16 (the nearest, ties to even). Throws Refusal for a number that F16 cannot
/// represent.
void write_hf_weights(const std::string& file, const checkpoint::CheckpointReader& weights,
                      std::span<const compiler::TensorInfo> tensors, checkpoint::Dtype dtype,
                      const Written& written = {});

/// Writes a checkpoint of llm.c, F32 or BF16. Throws Refusal about the key of a property that llm.c does not support.
void write_llmc(const std::string& file, const checkpoint::CheckpointReader& weights, const compiler::ModelShape& model,
                std::span<const compiler::TensorInfo> tensors, checkpoint::Dtype dtype, const Written& written = {});

}  // namespace weft::formats
