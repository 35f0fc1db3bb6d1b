#include "host/train/run_settings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <span>
#include <string_view>

#include "host/config/keys/key_names.hpp"
#include "host/config/keys/keys.hpp"
#include "host/config/keys/params_filter.hpp"
#include "host/config/keys/path_keys.hpp"
#include "host/config/keys/phases.hpp"
#include "host/config/overloaded.hpp"
#include "host/config/plural.hpp"
#include "sw/base/crc32c.hpp"
#include "sw/compiler/model/tensors.hpp"
#include "sw/network/network.hpp"

namespace weft::train {
namespace {

constexpr const char *kTokens = "train_input.tokens", *kPath = "train_input.data_dir";
constexpr const char *kContent = "network_content", *kText = "network_text";

/// Settings that older programs recorded only if they differed from the default.
constexpr std::string_view kOnceOptional[] = {
    "model.label_smoothing",        "model.document_end",      "wafer.row_groups",       "train_input.pad_documents",
    "optimizer.no_decay_params",    "optimizer.frozen_params", "wafer.attention",        "model.padding_token",
    "model.embedding_dropout_rate", "model.num_classes",       "optimizer.decay_params", "model.residual_dropout_rate",
    "model.attention_dropout_rate", "train_input.use_vsl",     "model.num_segments"};

/// Settings that follow from a checkpoint's tensors, so that they need not be recorded.
constexpr std::string_view kShownByTensors[] = {"model.hidden_size", "model.num_hidden_layers", "model.filter_size",
                                                "model.vocab_size", "model.share_embedding_weights"};

bool is_one_of(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

std::string setting_text(const config::Slot& slot) {
  return std::visit(
      config::Overloaded{[](const std::string* text) { return *text; },
                         [](const std::vector<double>* v) { return fmt::format("{}", fmt::join(*v, ", ")); },
                         [](const std::vector<std::string>* v) { return fmt::format("{}", fmt::join(*v, ", ")); },
                         [](const std::vector<config::LearningRatePhase>* v) { return config::phases_text(*v, true); },
                         [](const auto* value) { return fmt::format("{}", *value); }},
      slot);
}

std::string checksum_text(std::string_view text) {
  return fmt::format("checksum {:08x}", crc32c({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}));
}

/// Appends the content of a node without comments, layout and quotation marks.
void append_content(const YAML::Node& node, std::string& out) {
  if (node.IsMap() || node.IsSequence()) {
    out += node.IsMap() ? '{' : '[';
    for (const auto& entry : node) {
      if (node.IsMap()) append_content(entry.first, out);
      append_content(node.IsMap() ? entry.second : static_cast<const YAML::Node&>(entry), out);
    }
    out += node.IsMap() ? '}' : ']';
    return;
  }
  const std::string text = node.IsScalar() ? node.Scalar() : "~";
  out += fmt::format("{}:{}", text.size(), text);
}

/// The default of a key, as text; empty: there is no such key.
std::string default_text(std::string_view name) {
  config::Config defaults;
  for (const config::Key<config::Config>& key : config::config_keys())
    if (key.name == name) return setting_text(key.slot(defaults));
  return {};
}

/// Splits a setting_text() into its patterns.
std::vector<std::string> patterns_of(std::string_view text) {
  constexpr std::string_view kBetween = ", ";
  std::vector<std::string> patterns;
  while (!text.empty()) {
    const std::size_t end = text.find(kBetween);
    patterns.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + kBetween.size());
  }
  return patterns;
}

/// The tensors that match a key's patterns, in the model's order.
std::vector<std::string> chosen_tensors(std::string_view key, const config::Config& config) {
  if (key == "optimizer.frozen_params") return config::frozen_tensors(config);
  if (key == "optimizer.no_decay_params") return config::no_decay_tensors(config);
  if (key == "optimizer.decay_params") return config::decay_tensors(config);
  std::vector<std::string> names;
  for (const compiler::TensorInfo& tensor : config::sparse_tensors(config)) names.push_back(tensor.name);
  return names;
}

/// Settings that change no bits together if the rows and the sequences of a group of rows stay the same.
constexpr std::string_view kOfGroups[] = {"wafer.rows", "wafer.row_groups", "train_input.micro_batch_size"};

/// True if both settings have the same rows and sequences of a group.
bool same_groups(const checkpoint::Metadata& before, const checkpoint::Metadata& now) {
  const auto of_group = [](const checkpoint::Metadata& settings, std::string_view key) {
    const auto number = [&](std::string_view name, long otherwise) {
      const auto entry = settings.find(std::string(name));
      return entry == settings.end() ? otherwise : std::strtol(entry->second.c_str(), nullptr, 10);
    };
    return number(key, 0) / std::max(number("wafer.row_groups", 1), 1L);
  };
  return std::ranges::all_of(std::array{kOfGroups[0], kOfGroups[2]}, [&](std::string_view key) {
    return of_group(before, key) > 0 && of_group(before, key) == of_group(now, key);
  });
}

/// Text such as "corpus.txt (2000 tokens, checksum 89abcdef)".
std::string data_text(const checkpoint::Metadata& about) {
  const auto path = about.find(kPath);
  return fmt::format("{} ({})", path == about.end() ? "data" : printable(path->second), printable(about.at(kTokens)));
}

}  // namespace

checkpoint::Metadata model_settings(const config::Config& config) {
  config::Config copy = config;  // key slots need a mutable configuration
  const std::string text = network::network_text(config.model.network);
  std::string content;
  append_content(YAML::Load(text), content);
  checkpoint::Metadata settings = {
      {"model.network", network::find_network(config.model.network, compiler::sizes_of(config.model)).name},
      {kContent, checksum_text(content)},
      {kText, checksum_text(text)}};
  for (const config::Key<config::Config>& key : config::config_keys())
    if (config::section_of(key.name) == "model" && key.effect.changes_bits(config))
      settings[std::string(key.name)] = setting_text(key.slot(copy));
  return settings;
}

checkpoint::Metadata wafer_settings(const config::Config& config) {
  config::Config copy = config;
  checkpoint::Metadata settings;
  for (const config::Key<config::Config>& key : config::config_keys())
    if (config::section_of(key.name) == "wafer" && key.effect.changes_bits(config))
      settings[std::string(key.name)] = setting_text(key.slot(copy));
  return settings;
}

checkpoint::Metadata run_settings(const config::Config& config, const compiler::Plan& plan,
                                  const data::TrainingData& data) {
  config::Config copy = config;
  checkpoint::Metadata settings = model_settings(config);
  for (const config::Key<config::Config>& key : config::config_keys())
    if (key.effect.changes_bits(config)) settings[std::string(key.name)] = setting_text(key.slot(copy));
  settings[kTokens] = fmt::format("{}, checksum {:08x}", config::plural(data.tokens(), "token"), data.checksum());
  settings[kPath] = config::paths_text(config::joined_paths(config.train_input.data_dirs()));
  if (data.sets() > 1) settings["train_input.weights"] = fmt::format("{}", fmt::join(data.parts(), ":"));
  settings["wafer.sequence_columns"] = fmt::format("{}", plan.wafer.sequence_columns);
  settings[kSettingsRecorded] = "1";
  return settings;
}

void inherit_masks(const config::Config& config, const checkpoint::Metadata& before, checkpoint::Metadata& settings) {
  const auto algorithm = before.find("sparsity.algorithm");
  if (config::is_sparse(config) || algorithm == before.end() || algorithm->second != "static") return;
  for (const auto& [key, value] : before)
    if (config::section_of(key) == "sparsity") settings[key] = value;
}

void inherit_patterns(const config::Config& config, const checkpoint::Metadata& before,
                      checkpoint::Metadata& settings) {
  for (const char* key :
       {"optimizer.frozen_params", "optimizer.no_decay_params", "optimizer.decay_params", "sparsity.params_filter"}) {
    const auto recorded = before.find(key);
    const auto own = settings.find(key);
    if (recorded == before.end() || own == settings.end() || recorded->second == own->second) continue;
    config::Config earlier = config;
    *std::get<std::vector<std::string>*>(config::config_key(key, {}).slot(earlier)) = patterns_of(recorded->second);
    try {
      if (chosen_tensors(key, earlier) == chosen_tensors(key, config)) own->second = recorded->second;
    } catch (const Refusal&) {
      continue;  // a recorded pattern that matches no tensor of this model is a different setting
    }
  }
}

std::string SettingChange::text() const { return fmt::format("{} was {} and is {} now", key, before, now); }

SettingChanges compare_settings(const checkpoint::Metadata& before, const checkpoint::Metadata& now, bool sparse) {
  SettingChanges result;
  const bool all_recorded = before.contains(kSettingsRecorded);
  const bool equal_groups = same_groups(before, now);
  const auto text = [](const std::string& value) { return value.empty() ? "\"\"" : printable(value); };
  for (const auto& [key, value] : now) {
    if (equal_groups && is_one_of(kOfGroups, key)) continue;
    if (key == kPath || key == kSettingsRecorded) continue;  // equal tokens in another place are equal data
    if (key == kText && (before.contains(kContent) || !before.contains(kText))) continue;
    if (key == kContent && !before.contains(kContent) && before.contains(kText)) continue;
    const auto recorded = before.find(key);
    const bool known = recorded != before.end();
    const bool default_if_absent = config::section_of(key) == "sparsity" ? !sparse : is_one_of(kOnceOptional, key);
    if (!known && !all_recorded && !default_if_absent) {
      if (!is_one_of(kShownByTensors, key)) result.unknown.push_back(key);
      continue;
    }
    const std::string own = known ? recorded->second : default_text(key);
    if (own == value) continue;
    if (key == kText) {
      result.unknown.push_back("model.network's content");
    } else if (key == kTokens) {
      result.changed.push_back({kPath, data_text(before), data_text(now)});
    } else {
      result.changed.push_back({key == kContent ? "the content of model.network" : key, text(own), text(value)});
    }
  }
  // Dynamic masks whose settings are now missing.
  const auto moved = before.find("sparsity.algorithm");
  if (moved != before.end() && moved->second != "static" && !now.contains("sparsity.algorithm"))
    result.changed.push_back({"sparsity.algorithm", printable(moved->second), "static"});
  return result;
}

}  // namespace weft::train
