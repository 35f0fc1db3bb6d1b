/// Writes a model's logits for all positions to a file for other programs.
#pragma once

#include <string>

#include "host/data/data.hpp"
#include "host/generate/generator.hpp"

namespace weft {

/// Writes a safetensors file: `tokens` and `labels` [samples][tokens], I32, and `logits` [samples][tokens][vocabulary],
/// F32, as the wafer returns them, rounded to bf16. Needs one pass of the model per token, because a wafer returns the
/// logits of one position. Throws Refusal if the file cannot be written; otherwise as Generator::logits.
void write_logits(const std::string& file, const EvalData& data, const ModelShape& model, Generator& generator);

}  // namespace weft
