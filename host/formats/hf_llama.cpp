#include "host/formats/hf_llama.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "host/formats/hf_keys.hpp"
#include "host/formats/hf_numbers.hpp"
#include "sw/base/json_parse.hpp"
#include "sw/base/refusal.hpp"
#include "sw/base/token_id.hpp"

namespace weft::formats {
namespace {

using Json = nlohmann::ordered_json;

/// A number above 0; `otherwise` if it is missing or invalid, and an invalid one is added to `problems`.
double number(const Json& config, const char* key, double otherwise, std::vector<std::string>& problems) {
  const auto at = config.find(key);
  if (at == config.end() || at->is_null()) return otherwise;
  if (at->is_number() && *at > 0) return at->get<double>();
  problems.push_back(fmt::format("{} is {}, not a number above 0", key, dump_json(*at)));
  return otherwise;
}

/// `scaling`: rope_scaling, or rope_parameters, which newer versions write.
void take_scaling(const Json& scaling, compiler::RotaryAngles& rotary, std::vector<std::string>& problems) {
  if (scaling.is_null()) return;
  if (!scaling.is_object()) {
    problems.push_back(fmt::format("rope_scaling is {}, not an object", dump_json(scaling)));
    return;
  }
  const Json type = scaling.value("rope_type", scaling.value("type", Json("default")));
  rotary.theta = number(scaling, "rope_theta", rotary.theta, problems);
  if (type == "default") return;
  if (type != "linear" && type != "llama3") {
    problems.push_back(fmt::format("rope_scaling has the type {}, but Weft has linear and llama3", dump_json(type)));
    return;
  }
  rotary.scaling = type.get<std::string>();
  rotary.factor = number(scaling, "factor", 1, problems);
  if (type == "linear") return;
  rotary.low_turns = number(scaling, "low_freq_factor", rotary.low_turns, problems);
  rotary.high_turns = number(scaling, "high_freq_factor", rotary.high_turns, problems);
  rotary.original_length =
      whole(scaling, "original_max_position_embeddings", rotary.original_length, problems, 1 << 30);
}

Json scaling_of(const compiler::RotaryAngles& rotary) {
  if (rotary.scaling == "none") return nullptr;
  Json scaling{{"rope_type", rotary.scaling}, {"factor", rotary.factor}};
  if (rotary.scaling == "llama3") {
    scaling["low_freq_factor"] = rotary.low_turns;
    scaling["high_freq_factor"] = rotary.high_turns;
    scaling["original_max_position_embeddings"] = rotary.original_length;
  }
  return scaling;
}

}  // namespace

Json llama_config(const compiler::ModelShape& model) {
  if (!model.rotary.has_halves())
    throw Refusal("model.rotary_layout", "pairs, but LlamaForCausalLM rotates halves of a head",
                  "train with model.rotary_layout halves");
  if (model.rotary_dim != model.head_size())
    throw Refusal(
        "model.rotary_dim",
        fmt::format("{}, but LlamaForCausalLM rotates all {} features of a head", model.rotary_dim, model.head_size()),
        fmt::format("train with model.rotary_dim {}", model.head_size()));
  Json config{{"architectures", {"LlamaForCausalLM"}},
              {"model_type", "llama"},
              {"vocab_size", model.vocab},
              {"max_position_embeddings", model.seq},
              {"hidden_size", model.hidden},
              {"intermediate_size", model.filter},
              {"num_hidden_layers", model.layers},
              {"num_attention_heads", model.heads},
              {"num_key_value_heads", model.own_kv_heads()},
              {"head_dim", model.head_size()},
              {"rms_norm_eps", std::stod(fmt::format("{}", model.ln_eps))},  // 1e-05, not its nearest double
              {"rope_theta", model.rotary.theta},
              {"rope_scaling", scaling_of(model.rotary)},
              {"tie_word_embeddings", model.tied}};
  for (const HfConstant& constant : hf_constants(HfKind::Llama))
    config[std::string(constant.key)] = parse_ordered_json_or_discard(constant.value);
  config["attention_dropout"] = 0.0;
  return config;
}

compiler::ModelShape llama_model(const Json& config, std::vector<std::string>& problems) {
  compiler::ModelShape model;
  model.network = "llama";
  for (const HfConstant& constant : hf_constants(HfKind::Llama)) {
    const auto at = config.find(constant.key);
    if (at != config.end() && !constant.allows(at->dump()))
      problems.push_back(fmt::format("{} is {}, but Weft has {}", constant.key, at->dump(), constant.value));
  }
  model.vocab = whole(config, "vocab_size", 32000, problems, kMostTokens);
  model.seq = whole(config, "max_position_embeddings", 2048, problems, 1 << 30);
  model.seq = std::min(model.seq, 65535);  // LLaMA 3.1 has 131,072, and positions have no tensor
  model.hidden = whole(config, "hidden_size", 4096, problems);
  model.filter = whole(config, "intermediate_size", 11008, problems);
  model.layers = whole(config, "num_hidden_layers", 32, problems);
  model.heads = whole(config, "num_attention_heads", 32, problems);
  model.kv_heads = whole(config, "num_key_value_heads", model.heads, problems);
  model.rotary_dim = model.head_size();
  if (const int dim = whole(config, "head_dim", model.head_size(), problems); dim != model.head_size())
    problems.push_back(fmt::format("head_dim is {}, but Weft has hidden_size / num_attention_heads, which is {}", dim,
                                   model.head_size()));
  model.ln_eps = static_cast<float>(number(config, "rms_norm_eps", 1e-6, problems));
  model.rotary.layout = "halves";
  model.rotary.theta = number(config, "rope_theta", 10000, problems);
  take_scaling(config.value("rope_parameters", config.value("rope_scaling", Json())), model.rotary, problems);
  const Json tied = config.value("tie_word_embeddings", Json(false));
  model.tied = tied == true;
  if (!tied.is_boolean() && !tied.is_null())
    problems.push_back(fmt::format("tie_word_embeddings is {}, not true or false", dump_json(tied)));
  return model;
}

}  // namespace weft::formats
