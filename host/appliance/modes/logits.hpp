/// What a model says of every position, in a file that other programs read.
#pragma once

#include <string>

#include "host/data/data.hpp"
#include "host/generate/generator.hpp"

namespace weft {

/// A safetensors file: `tokens` and `labels` [samples][tokens], I32, and `logits` [samples][tokens][vocabulary], F32,
/// as the wafer returns them, rounded to bf16. One pass of the model for each token, as a wafer returns the logits of
/// one position. Throws Refusal if the file cannot be written; else as Generator::logits.
void write_logits(const std::string& file, const EvalData& data, const ModelShape& model, Generator& generator);

}  // namespace weft
