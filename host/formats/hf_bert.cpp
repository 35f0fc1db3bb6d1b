#include "host/formats/hf_bert.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "sw/base/json_parse.hpp"
#include "sw/base/token_id.hpp"
#include "sw/network/network.hpp"

namespace weft::formats {
namespace {

using Json = nlohmann::ordered_json;

/// Keys for which Weft's bert has one value, as JSON; a missing key has it, too.
constexpr std::pair<const char*, const char*> kConstants[] = {{"hidden_act", R"("gelu")"},
                                                              {"position_embedding_type", R"("absolute")"},
                                                              {"is_decoder", "false"},
                                                              {"add_cross_attention", "false"}};

/// A size, the model's member for it, its key in a parameter file, and the class's default.
struct Size {
  const char* name;
  int compiler::ModelShape::*member;
  const char* key;
  int otherwise, most;
};
constexpr Size kSizes[] = {
    {"vocab_size", &compiler::ModelShape::vocab, "model.vocab_size", 30522, kMostTokens},
    {"max_position_embeddings", &compiler::ModelShape::seq, "model.max_sequence_length", 512, 65535},
    {"hidden_size", &compiler::ModelShape::hidden, "model.hidden_size", 768, 65535},
    {"num_hidden_layers", &compiler::ModelShape::layers, "model.num_hidden_layers", 12, 65535},
    {"num_attention_heads", &compiler::ModelShape::heads, "model.num_heads", 12, 65535},
    {"intermediate_size", &compiler::ModelShape::filter, "model.filter_size", 3072, 65535},
    {"type_vocab_size", &compiler::ModelShape::segments, "model.num_segments", 2, kMostSegments}};

constexpr const char* kPairs = "bert_pretraining";
constexpr int kPairClasses = 2;

constexpr std::string_view kBase = "bert.", kLayer = "bert.encoder.layer.", kOwnLayer = "h.",
                           kDecoder = "cls.predictions.decoder.", kOwnBias = "cls.predictions.decoder.bias",
                           kBias = "cls.predictions.bias";

void replace_end(std::string& name, std::string_view end, std::string_view by) {
  if (name.ends_with(end)) name.replace(name.size() - end.size(), end.size(), by);
}

/// The name in Weft of one of the class's tensors; none if the network does not need it.
std::optional<std::string> own_name(std::string name, bool tied, bool pairs) {
  if (name.starts_with("bert.embeddings.position_ids")) return std::nullopt;
  for (const std::string_view other : {"bert.pooler.", "cls.seq_relationship."})
    if (!pairs && name.starts_with(other)) return std::nullopt;
  if (name == kOwnBias || (tied && name.starts_with(kDecoder))) return std::nullopt;
  if (name == kBias) return std::string(kOwnBias);
  replace_end(name, "LayerNorm.gamma", "LayerNorm.weight");
  replace_end(name, "LayerNorm.beta", "LayerNorm.bias");
  if (name.starts_with(kLayer)) return std::string(kOwnLayer).append(name.substr(kLayer.size()));
  if (name.starts_with(kBase)) name.erase(0, kBase.size());
  return name;
}

/// True for the network with the loss of sentence pairs.
bool has_pairs(const compiler::ModelShape& model) {
  return network::network_text(model.network) == network::network_text(kPairs);
}

}  // namespace

bool is_bert(const compiler::ModelShape& model) {
  return network::network_text(model.network) == network::network_text("bert") || has_pairs(model);
}

std::string bert_config(const compiler::ModelShape& model, checkpoint::Dtype dtype, std::uint64_t step) {
  Json config{{"architectures", {has_pairs(model) ? "BertForPreTraining" : "BertForMaskedLM"}}, {"model_type", "bert"}};
  for (const Size& size : kSizes) config[size.name] = model.*size.member;
  config["layer_norm_eps"] = std::stod(fmt::format("{}", model.ln_eps));
  config["tie_word_embeddings"] = model.tied;
  for (const auto& [key, value] : kConstants) config[key] = parse_ordered_json_or_discard(value);
  for (const char* rate : {"hidden_dropout_prob", "attention_probs_dropout_prob"}) config[rate] = 0.0;
  config["pad_token_id"] = model.has_padding() ? Json(model.padding_token) : Json();
  config["initializer_range"] = 0.02;
  config["torch_dtype"] = dtype == checkpoint::Dtype::F32    ? "float32"
                          : dtype == checkpoint::Dtype::BF16 ? "bfloat16"
                                                             : "float16";
  config["weft"] = {{"step", step}};
  return dump_json(config, {.indent = 2}) + "\n";
}

compiler::ModelShape read_bert_config(const Json& config, const std::string& file) {
  compiler::ModelShape model;
  const Json classes = config.value("architectures", Json::array());
  const bool pairs = classes.is_array() && std::ranges::count(classes, Json("BertForPreTraining")) > 0;
  model.network = pairs ? kPairs : "bert";
  model.classes = pairs ? kPairClasses : 0;
  std::vector<std::string> problems;
  for (const auto& [key, value] : kConstants)
    if (const auto at = config.find(key); at != config.end() && !at->is_null() && at->dump() != value)
      problems.push_back(fmt::format("{} is {}, but Weft has {}", key, printable(at->dump()), value));
  for (const Size& size : kSizes) {
    const Json value = config.value(size.name, Json(size.otherwise));
    if (value.is_number_integer() && value >= 1 && value <= size.most)
      model.*size.member = value.get<int>();
    else
      problems.push_back(
          fmt::format("{} is {}, not a number of 1 to {}", size.name, printable(value.dump()), size.most));
  }
  const Json padding = config.value("pad_token_id", Json(0)), tied = config.value("tie_word_embeddings", Json(true)),
             epsilon = config.value("layer_norm_eps", Json(1e-12));
  if (padding.is_number_integer() && padding >= 0 && padding < model.vocab)
    model.padding_token = padding.get<int>();
  else if (!padding.is_null())
    problems.push_back(
        fmt::format("pad_token_id is {}, not one of the {} tokens", printable(padding.dump()), model.vocab));
  if (!tied.is_boolean())
    problems.push_back(fmt::format("tie_word_embeddings is {}, not true or false", printable(tied.dump())));
  model.tied = tied == true;
  if (epsilon.is_number())
    model.ln_eps = epsilon.get<float>();
  else
    problems.push_back(fmt::format("layer_norm_eps is {}, not a number", printable(epsilon.dump())));
  if (config.contains("quantization_config") && !config["quantization_config"].is_null())
    problems.emplace_back("quantization_config is set, but Weft reads only F32, F16 and BF16");
  if (problems.empty()) return model;
  throw checkpoint::file_error(file, "", fmt::format("{}", fmt::join(problems, "; ")),
                               "Weft does not support this model: take one without (docs/howto/hugging_face.md)");
}

void check_same_bert(const compiler::ModelShape& theirs, const compiler::ModelShape& ours, const std::string& file) {
  std::vector<std::string> problems, settings;
  const auto compare = [&](const char* name, auto their_value, const char* key, auto own) {
    if (their_value == own) return;
    problems.push_back(fmt::format("{} is {} and {} is {}", name, their_value, key, own));
    settings.push_back(fmt::format("--{} {}", key, their_value));
  };
  for (const Size& size : kSizes) compare(size.name, theirs.*size.member, size.key, ours.*size.member);
  compare("layer_norm_eps", theirs.ln_eps, "model.layer_norm_epsilon", ours.ln_eps);
  compare("tie_word_embeddings", theirs.tied, "model.share_embedding_weights", ours.tied);
  if (has_pairs(ours) && !has_pairs(theirs)) {
    problems.emplace_back("architectures has no BertForPreTraining and model.network is bert_pretraining");
    settings.emplace_back("--model.network bert --model.num_classes 0");
  }
  if (problems.empty()) return;
  throw checkpoint::file_error(
      file, "", fmt::format("{}", fmt::join(problems, "; ")),
      fmt::format("set {}, or have the parameter file written by weft import", fmt::join(settings, " ")));
}

std::string bert_name(std::string_view own) {
  if (own == kOwnBias) return std::string(kBias);
  if (own.starts_with("cls.")) return std::string(own);
  if (own.starts_with("embeddings.") || own.starts_with("pooler.")) return std::string(kBase).append(own);
  if (!own.starts_with(kOwnLayer)) return {};
  const std::string_view rest = own.substr(own.find('.', kOwnLayer.size()) + 1);
  for (const std::string_view part : {"attention.", "intermediate.", "output."})
    if (rest.starts_with(part)) return std::string(kLayer).append(own.substr(kOwnLayer.size()));
  return {};
}

void take_bert_names(std::vector<checkpoint::TensorView>& tensors, const compiler::ModelShape& model) {
  const bool pairs = has_pairs(model);
  std::vector<checkpoint::TensorView> needed;
  for (checkpoint::TensorView& tensor : tensors) {
    const std::optional<std::string> name = own_name(tensor.name, model.tied, pairs);
    if (!name) continue;
    tensor.name = *name;
    needed.push_back(std::move(tensor));
  }
  tensors = std::move(needed);
}

}  // namespace weft::formats
