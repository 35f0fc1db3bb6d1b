/// config.json of Hugging Face's LlamaForCausalLM: LLaMA 2 and 3 (docs/howto/hugging_face.md).
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sw/compiler/model/model_shape.hpp"

namespace weft::formats {

/// The model's own keys. Throws Refusal for a rotation that the class does not have.
nlohmann::ordered_json llama_config(const compiler::ModelShape& model);

/// The model of a config.json. Unsupported values are added to `problems`, each with the key and both values.
compiler::ModelShape llama_model(const nlohmann::ordered_json& config, std::vector<std::string>& problems);

/// Calls equal(their key, their value, key, own value) for the keys that only LLaMA has.
template <class Equal>
void for_each_llama_key(const compiler::ModelShape& theirs, const compiler::ModelShape& ours, const Equal& equal) {
  equal("num_key_value_heads", theirs.own_kv_heads(), "model.num_kv_heads", ours.own_kv_heads());
  equal("head_dim", theirs.rotary_dim, "model.rotary_dim", ours.rotary_dim);
  equal("the layout of LlamaForCausalLM", theirs.rotary.layout, "model.rotary_layout", ours.rotary.layout);
  equal("rope_theta", theirs.rotary.theta, "model.rope_theta", ours.rotary.theta);
  equal("rope_type", theirs.rotary.scaling, "model.rope_scaling", ours.rotary.scaling);
  if (theirs.rotary.scaling == "none") return;
  equal("factor", theirs.rotary.factor, "model.rope_scaling_factor", ours.rotary.factor);
  if (theirs.rotary.scaling == "linear") return;
  equal("low_freq_factor", theirs.rotary.low_turns, "model.rope_low_freq_factor", ours.rotary.low_turns);
  equal("high_freq_factor", theirs.rotary.high_turns, "model.rope_high_freq_factor", ours.rotary.high_turns);
  equal("original_max_position_embeddings", theirs.rotary.original_length, "model.rope_original_length",
        ours.rotary.original_length);
}

}  // namespace weft::formats
