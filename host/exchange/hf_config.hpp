/// config.json of Hugging Face's GPT-2 and GPT-J, from and to the sizes of a model (docs/hugging_face.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "host/checkpoint/safetensors.hpp"
#include "sw/compiler/plan.hpp"

namespace weft {

/// The networks that both sides have.
enum class HfKind : std::uint8_t { Gpt2, GptJ };

/// Which of them the model's network is: its file is the built-in one's, by whatever path. Throws Refusal of
/// model.network for any other.
HfKind hf_kind(const ModelShape& model);

/// The text of config.json. `step`: steps that the weights were trained; `dtype`: of the file of weights.
std::string hf_config(const ModelShape& model, Dtype dtype, std::uint64_t step);

/// The model of a config.json; what that file does not say (micro-batch, recompute) is as a ModelShape begins. Throws
/// Refusal that names every key whose value Weft has not, with both values. `file` is its name.
ModelShape read_hf_config(std::string_view text, const std::string& file);

/// That `theirs`, of a config.json, is `ours`: throws Refusal that names every key that differs, with both values.
void check_same_model(const ModelShape& theirs, const ModelShape& ours, const std::string& file);

}  // namespace weft
