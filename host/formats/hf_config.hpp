/// config.json of Hugging Face's GPT-2, GPT-J and BERT (hf_bert.hpp): conversion from and to the sizes of a model
/// (docs/howto/hugging_face.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "host/checkpoint/safetensors.hpp"
#include "host/formats/hf_keys.hpp"
#include "sw/compiler/model/model_shape.hpp"

namespace weft::formats {

/// Determines which of the networks in common the model's network is: its file must equal the built-in one, at any
/// path. Throws Refusal about model.network for all others.
HfKind hf_kind(const compiler::ModelShape& model);

/// Returns true for GPT-2's class with GELU by erf, which is Cerebras-GPT.
bool has_exact_gelu(const compiler::ModelShape& model);

/// The text of config.json. `step`: number of steps that the weights were trained; `dtype`: type in the file of
/// weights.
std::string hf_config(const compiler::ModelShape& model, checkpoint::Dtype dtype, std::uint64_t step);

/// The model of a config.json; properties that the file lacks (micro-batch, recompute) keep the defaults of ModelShape.
/// Throws Refusal that names every key with an unsupported value, with both values. `file` is its name for errors.
compiler::ModelShape read_hf_config(std::string_view text, const std::string& file);

/// Checks that `theirs`, from a config.json, equals `ours`: throws Refusal that names every differing key, with both
/// values.
void check_same_model(const compiler::ModelShape& theirs, const compiler::ModelShape& ours, const std::string& file);

}  // namespace weft::formats
