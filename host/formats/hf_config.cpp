#include "host/formats/hf_config.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "host/formats/hf_bert.hpp"
#include "host/formats/hf_keys.hpp"
#include "host/formats/hf_llama.hpp"
#include "host/formats/hf_numbers.hpp"
#include "sw/base/json_depth.hpp"
#include "sw/base/json_fault.hpp"
#include "sw/base/json_parse.hpp"
#include "sw/base/known_format.hpp"
#include "sw/base/token_id.hpp"
#include "sw/network/network.hpp"

namespace weft::formats {
namespace {

using Json = nlohmann::ordered_json;

/// GPT-2's class has either GELU: Weft has a network for each.
constexpr const char *kActivation = "activation_function", *kExactGelu = "gelu", *kExact = "cerebras_gpt";

HfKind kind_of(const Json& config, const std::string& file) {
  const Json type = config.value("model_type", Json()), classes = config.value("architectures", Json());
  const std::string first = classes.is_array() && !classes.empty() && classes[0].is_string() ? classes[0] : "";
  if (type == "gpt2" || (type.is_null() && first.starts_with("GPT2"))) return HfKind::Gpt2;
  if (type == "gptj" || (type.is_null() && first.starts_with("GPTJ"))) return HfKind::GptJ;
  if (type == "llama" || (type.is_null() && first.starts_with("Llama"))) return HfKind::Llama;
  if (type == "bert" || (type.is_null() && first.starts_with("Bert"))) return HfKind::Bert;
  if (type.is_null() && !first.empty())
    throw checkpoint::file_error(file, "architectures", printable(first) + " is not one of Weft's networks",
                                 "give a gpt2, gptj, llama or bert");
  throw checkpoint::file_error(file, "model_type", printable(dump_json(type)) + " is not one of Weft's networks",
                               "give a gpt2, gptj, llama or bert");
}

/// Copies values of alternative keys to the keys that transformers' classes use.
void take_other_names(Json& config, std::vector<std::string>& problems) {
  for (const HfOtherName& other : hf_other_names()) {
    const auto at = config.find(other.name);
    if (at == config.end()) continue;
    const auto own = config.find(other.key);
    if (own != config.end() && *own != *at)
      problems.push_back(fmt::format("{} is {} and {}, which means the same, is {}", other.name, printable(at->dump()),
                                     other.key, printable(own->dump())));
    config[std::string(other.key)] = *at;
  }
}

/// Keys that transformers does not read for these models, although a person might expect it.
struct UnreadNames {
  std::vector<std::string> problems, renames,
      extra;  // renames: "d_model to n_embd"; extra: in addition to the key that is read
};

/// True if a model without `key` has this value by default.
bool is_default(const Json& config, HfKind kind, std::string_view key, const Json& value) {
  const HfDefaults defaults = hf_defaults(kind);
  if (key == "activation_function") return value == "gelu_new" || value == "gelu_pytorch_tanh";
  if (key == "n_layer") return value == defaults.layers;
  if (key == "n_embd") return value == defaults.hidden;
  if (key == "n_head") return value == defaults.heads;
  if (key == "n_positions") return value == defaults.positions;
  const Json hidden = config.value("n_embd", Json(defaults.hidden));
  return key == "n_inner" && hidden.is_number_integer() && value == 4 * hidden.get<std::int64_t>();
}

UnreadNames unread_names(const Json& config, HfKind kind) {
  UnreadNames found;
  for (const HfUnreadName& unread : hf_unread_names()) {
    const auto at = config.find(unread.name), own = config.find(unread.key);
    if (at == config.end() || at->is_null()) continue;
    const bool alone = own == config.end();
    if (alone ? is_default(config, kind, unread.key, *at) : unread.kind == HfUnreadName::Instead || *own == *at)
      continue;
    found.problems.push_back(fmt::format("{} is {}, but transformers reads {} here, which is {}", unread.name,
                                         printable(at->dump()), unread.key,
                                         alone ? std::string("missing") : printable(own->dump())));
    if (unread.kind == HfUnreadName::Another) continue;
    if (alone)
      found.renames.push_back(fmt::format("{} to {}", unread.name, unread.key));
    else
      found.extra.emplace_back(unread.name);
  }
  return found;
}

/// Adds the type of the weights, and what `transformers` and Weft write next to a model's own keys.
void add_common_keys(Json& config, checkpoint::Dtype dtype, std::uint64_t step) {
  config["initializer_range"] = 0.02;
  config["bos_token_id"] = nullptr;  // the classes have defaults of their own
  config["eos_token_id"] = nullptr;
  config["use_cache"] = true;
  config["torch_dtype"] = dtype == checkpoint::Dtype::F32    ? "float32"
                          : dtype == checkpoint::Dtype::BF16 ? "bfloat16"
                                                             : "float16";
  config["weft"] = {{"step", step}};
}

/// Throws one Refusal with all problems.
[[noreturn]] void fail(const std::string& file, std::vector<std::string> problems, const UnreadNames& unread) {
  const bool types = std::ranges::all_of(
      problems, [](const std::string& problem) { return problem.find(", not ") != std::string::npos; });
  const bool names = unread.renames.size() + unread.extra.size() == unread.problems.size();
  problems.insert(problems.begin(), unread.problems.begin(), unread.problems.end());
  const std::string all = fmt::format("{}", fmt::join(problems, "; "));
  if (!types || !names)
    throw checkpoint::file_error(file, "", all,
                                 "Weft does not support this model: take one without (docs/howto/hugging_face.md)");
  if (!unread.renames.empty())
    throw checkpoint::file_error(
        file, "", all,
        fmt::format("rename {} in that file, or leave out what transformers did not train with",
                    fmt::join(unread.renames, " and ")));
  if (!unread.extra.empty())
    throw checkpoint::file_error(file, "", all,
                                 fmt::format("leave {} out of that file", fmt::join(unread.extra, " and ")));
  throw checkpoint::file_error(file, "", all, "correct these values in that file");
}

/// A network's class, by its model_type.
std::string_view class_of(std::string_view network) { return network == kExact ? "gpt2" : network; }

}  // namespace

HfKind hf_kind(const compiler::ModelShape& model) {
  const std::string text = network::network_text(model.network);
  if (text == network::network_text("gpt2") || has_exact_gelu(model)) return HfKind::Gpt2;
  if (text == network::network_text("gptj")) return HfKind::GptJ;
  if (text == network::network_text("llama")) return HfKind::Llama;
  if (is_bert(model)) return HfKind::Bert;
  throw Refusal("model.network", fmt::format("{} is a network that Hugging Face does not have", model.network),
                "use gpt2, cerebras_gpt, gptj, llama or bert");
}

bool has_exact_gelu(const compiler::ModelShape& model) {
  return network::network_text(model.network) == network::network_text(kExact);
}

std::string hf_config(const compiler::ModelShape& model, checkpoint::Dtype dtype, std::uint64_t step) {
  const HfKind kind = hf_kind(model);
  if (kind == HfKind::Bert) return bert_config(model, dtype, step);
  const bool gptj = kind == HfKind::GptJ;
  if (kind == HfKind::Llama) {
    Json config = llama_config(model);
    add_common_keys(config, dtype, step);
    return dump_json(config, {.indent = 2}) + "\n";
  }
  Json config{{"architectures", {gptj ? "GPTJForCausalLM" : "GPT2LMHeadModel"}},
              {"model_type", gptj ? "gptj" : "gpt2"},
              {"vocab_size", model.vocab},
              {"n_positions", model.seq},
              {"n_embd", model.hidden},
              {"n_layer", model.layers},
              {"n_head", model.heads},
              {"n_inner", model.filter},
              {"layer_norm_epsilon", std::stod(fmt::format("{}", model.ln_eps))},  // 1e-05, not its nearest double
              {"tie_word_embeddings", !gptj && model.tied}};
  if (gptj) config["rotary_dim"] = model.rotary_dim;
  for (const HfConstant& constant : hf_constants(kind))
    config[std::string(constant.key)] = parse_ordered_json_or_discard(constant.value);
  if (has_exact_gelu(model)) config[std::string(kActivation)] = kExactGelu;
  for (const char* rate : {"attn_pdrop", "embd_pdrop", "resid_pdrop"}) config[rate] = 0.0;
  add_common_keys(config, dtype, step);
  return dump_json(config, {.indent = 2}) + "\n";
}

compiler::ModelShape read_hf_config(std::string_view text, const std::string& file) {
  const bool deep = nests_deeper(text);
  Json config = deep ? Json() : parse_ordered_json_or_discard(text);
  if (config.is_discarded()) config = parse_ordered_json_or_discard(without_nan(text));
  if (!config.is_object()) {
    if (const auto other = other_format(text.substr(0, kFormatBytes), Expected::Json, file))
      throw checkpoint::file_error<DamagedFile>(file, "", other->problem, other->hint);
    const std::string fault = deep ? "" : json_fault(text);
    if (!fault.empty())
      throw checkpoint::file_error<DamagedFile>(file, "", fault, "correct the file, or take another copy");
    throw checkpoint::file_error<DamagedFile>(file, "", "is not a JSON object", "take another copy");
  }
  const HfKind kind = kind_of(config, file);
  if (kind == HfKind::Bert) return read_bert_config(config, file);
  const bool gptj = kind == HfKind::GptJ;
  compiler::ModelShape model;
  std::vector<std::string> problems;
  constexpr auto kQuantized = "quantization_config is set, but Weft reads only F32, F16 and BF16";
  const bool quantized = !config.value("quantization_config", Json()).is_null();
  if (kind == HfKind::Llama) {
    model = llama_model(config, problems);
    if (quantized) problems.emplace_back(kQuantized);
    if (!problems.empty()) fail(file, problems, {});
    return model;
  }
  model.network = gptj ? "gptj" : "gpt2";
  take_other_names(config, problems);
  const UnreadNames unread = unread_names(config, kind);
  for (const HfConstant& constant : hf_constants(kind)) {
    const auto at = config.find(constant.key);
    if (at == config.end() || constant.allows(at->dump())) continue;
    if (constant.key == kActivation && *at == kExactGelu && !gptj) {
      model.network = kExact;
      continue;
    }
    problems.push_back(fmt::format("{} is {}, but Weft has {}", constant.key, at->dump(), constant.value));
  }
  if (quantized) problems.emplace_back(kQuantized);
  const HfDefaults defaults = hf_defaults(kind);
  model.vocab = whole(config, "vocab_size", defaults.vocab, problems, kMostTokens);
  model.seq = whole(config, "n_positions", defaults.positions, problems);
  model.hidden = whole(config, "n_embd", defaults.hidden, problems);
  model.layers = whole(config, "n_layer", defaults.layers, problems);
  model.heads = whole(config, "n_head", defaults.heads, problems);
  model.filter = whole(config, "n_inner", 4 * model.hidden, problems);
  model.rotary_dim = gptj ? whole(config, "rotary_dim", defaults.rotary, problems) : 0;
  const Json rotary = config.value("rotary_dim", Json(defaults.rotary));
  if (gptj && rotary.is_null()) problems.emplace_back("rotary_dim is null, but Weft requires a number");
  const Json tied = config.value("tie_word_embeddings", Json(!gptj));
  model.tied = tied == true;
  if (!tied.is_boolean() && !tied.is_null())
    problems.push_back(fmt::format("tie_word_embeddings is {}, not true or false", dump_json(tied)));
  if (gptj && model.tied) problems.emplace_back("tie_word_embeddings is true, but Weft's gptj has a separate head");
  const Json epsilon = config.value("layer_norm_epsilon", Json(1e-5));
  if (epsilon.is_number()) model.ln_eps = epsilon.get<float>();
  if (!epsilon.is_number()) problems.push_back("layer_norm_epsilon is " + dump_json(epsilon) + ", not a number");
  if (problems.empty() && unread.problems.empty()) return model;
  fail(file, problems, unread);
}

void check_same_model(const compiler::ModelShape& theirs, const compiler::ModelShape& ours, const std::string& file) {
  const HfKind kind = hf_kind(ours);
  if (kind == HfKind::Bert && is_bert(theirs)) return check_same_bert(theirs, ours, file);
  std::vector<std::string> problems, settings;
  const auto compare = [&](std::string_view theirs_key, auto their_value, std::string_view key, auto own, bool same) {
    if (same) return;
    problems.push_back(fmt::format("{} is {} and {} is {}", theirs_key, their_value, key, own));
    settings.push_back(fmt::format("--{} {}", key, their_value));
  };
  const auto equal = [&](std::string_view theirs_key, auto their_value, std::string_view key, auto own) {
    compare(theirs_key, their_value, key, own, their_value == own);
  };
  const std::string own = kind == HfKind::Llama  ? "llama"
                          : kind == HfKind::GptJ ? "gptj"
                          : kind == HfKind::Bert ? "bert"
                          : has_exact_gelu(ours) ? kExact
                                                 : "gpt2";
  if (theirs.network != own) {
    const bool other_class = class_of(theirs.network) != class_of(own);
    problems.push_back(fmt::format("{} is {} and model.network is {}", other_class ? "model_type" : kActivation,
                                   other_class     ? class_of(theirs.network)
                                   : own == "gpt2" ? kExactGelu
                                                   : "gelu_new",
                                   own));
    settings.push_back("--model.network " + theirs.network);
  }
  const bool llama = theirs.network == "llama";  // the keys are named as in the file
  equal("vocab_size", theirs.vocab, "model.vocab_size", ours.vocab);
  // Rotary positions have no tensor: the model supports shorter sequences, too.
  compare(llama ? "max_position_embeddings" : "n_positions", theirs.seq, "model.max_sequence_length", ours.seq,
          kind == HfKind::Gpt2 ? ours.seq == theirs.seq : ours.seq <= theirs.seq);
  equal(llama ? "hidden_size" : "n_embd", theirs.hidden, "model.hidden_size", ours.hidden);
  equal(llama ? "num_hidden_layers" : "n_layer", theirs.layers, "model.num_hidden_layers", ours.layers);
  equal(llama ? "num_attention_heads" : "n_head", theirs.heads, "model.num_heads", ours.heads);
  equal(llama ? "intermediate_size" : "n_inner", theirs.filter, "model.filter_size", ours.filter);
  equal(llama ? "rms_norm_eps" : "layer_norm_epsilon", theirs.ln_eps, "model.layer_norm_epsilon", ours.ln_eps);
  if (kind == HfKind::GptJ) equal("rotary_dim", theirs.rotary_dim, "model.rotary_dim", ours.rotary_dim);
  if (kind != HfKind::GptJ) equal("tie_word_embeddings", theirs.tied, "model.share_embedding_weights", ours.tied);
  if (llama && kind == HfKind::Llama) for_each_llama_key(theirs, ours, equal);
  if (problems.empty()) return;
  throw checkpoint::file_error(
      file, "", fmt::format("{}", fmt::join(problems, "; ")),
      fmt::format("set {}, or have the parameter file written by weft import", fmt::join(settings, " ")));
}

}  // namespace weft::formats
