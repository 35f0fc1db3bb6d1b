#include "host/config/file/load.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <filesystem>
#include <sstream>
#include <string_view>
#include <system_error>

#include "host/config/check/sections.hpp"
#include "host/config/error_context.hpp"
#include "host/config/error_list.hpp"
#include "host/config/file/document.hpp"
#include "host/config/file/model_zoo_values.hpp"
#include "host/config/file/shared_files.hpp"
#include "host/config/file/trainer_section.hpp"
#include "host/config/file/value.hpp"
#include "host/config/keys/key_names.hpp"
#include "host/config/keys/keys.hpp"
#include "host/config/keys/model_zoo.hpp"
#include "host/config/keys/path_keys.hpp"
#include "host/memoryx/optimizer.hpp"
#include "sw/base/known_format.hpp"
#include "sw/base/named_text.hpp"
#include "sw/network/network.hpp"

namespace weft::config {
namespace {

/// Folder of a parameter file. The output of another program, as in --params <(...), has none; paths in it are relative
/// to the current folder.
std::filesystem::path folder_of(const std::filesystem::path& file) {
  const std::string name = file.lexically_normal().string();
  return name.starts_with("/dev/") || name.starts_with("/proc/") ? std::filesystem::path() : file.parent_path();
}

/// Resolves `path` relative to the folder of `file`. Removes `..` only if the path still names the same file (links may
/// change that).
std::string next_to(const std::filesystem::path& file, const std::string& path) {
  const std::filesystem::path full = folder_of(file) / path, brief = full.lexically_normal();
  std::error_code error;
  const bool same = !std::filesystem::exists(full, error) || std::filesystem::equivalent(full, brief, error);
  return (same && !error ? brief : full).string();
}

constexpr std::string_view kMark = "\xef\xbb\xbf";  // byte order mark, which some editors put before UTF-8

/// Reads a file, or the output of another program: | weft ... --runconfig.prompts_file /dev/stdin.
std::string prompts_text(const std::string& path) {
  constexpr std::size_t kMost = 1 << 26;
  try {
    std::string text = named_text(path, kMost + 1);
    if (text.size() > kMost) throw Refusal(path, "has more than 64 MiB", "give fewer prompts");
    return text;
  } catch (const std::system_error& e) {
    throw Refusal(path, "cannot be read: " + e.code().message(), "name a file, or a pipe").caused_by(e.code().value());
  }
}

/// Replaces runconfig.prompt by the nonempty lines of runconfig.prompts_file, if that is given. Throws Refusal.
void read_prompts(Config& c) {
  constexpr auto kKey = "runconfig.prompts_file";
  const std::string& path = c.runconfig.prompts_file;
  if (path.empty()) return;
  std::string text = about(c, kKey, [&] { return prompts_text(path); });
  if (text.starts_with(kMark)) text.erase(0, kMark.size());
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.ends_with('\r')) line.pop_back();
    if (!line.empty()) c.runconfig.prompt.push_back(line);
  }
  if (c.runconfig.prompt.empty())
    throw c.error(kKey, path + " has nothing but empty lines", "write a prompt on each line");
}

/// Checks rules that relate several keys, e.g. heads must divide hidden_size. Throws Refusal.
void check_config(const Config& config) {
  check_paths(config);
  check_batches(config);
  check_wafer(config);
  check_training(config);
  check_data(config);
  check_generate(config);
  check_sparsity(config);
}

class Loader {
 public:
  explicit Loader(std::string file) { config_.file = std::move(file); }

  void read(const std::string& text) {
    for (const DocumentEntry& section : read_document(text, config_.file)) {
      if (section.name == "trainer") {
        for (const DocumentEntry& entry : trainer_entries(section, errors_))
          errors_.collect([&] { set(entry.name, entry.value, entry.place); });
        continue;
      }
      errors_.collect([&] {
        check_config_section(section.name, section.place);
        for (const DocumentEntry& entry : read_section(section.name, section.value, section.place).entries)
          errors_.collect([&] { set(section.name + "." + entry.name, entry.value, entry.place); });
      });
    }
    for (const PathKey& key : path_keys()) {
      if (!key.in_file_folder) continue;
      for_each_path(config_, key.name, [&](std::string& path) {
        if (!path.empty() && !(key.name == "model.network" && network::is_built_in(path)))
          path = next_to(config_.file, path);
      });
    }
  }

  void apply(const Override& change) {
    errors_.collect([&] { apply_one(change); });
  }

  Config finish() {
    const bool whole = errors_.empty();  // otherwise a key may be missing because of another error
    for (const Key<Config>& key : config_keys())
      if (whole && key.required && !config_.places.contains(key.name))
        errors_.collect([&] { throw file().error(key.name, "missing", fmt::format("add it: {}", key.help)); });
    if (const memoryx::OptimizerRule* rule = memoryx::find_rule(config_.optimizer.optimizer_type);
        rule != nullptr && !config_.places.contains("optimizer.betas"))
      config_.optimizer.betas.assign(rule->default_betas.begin(), rule->default_betas.end());
    model_zoo_.settle(config_, errors_);
    errors_.check();
    config_.model.filter_follows = config_.model.filter == 0;
    if (config_.model.filter_follows) config_.model.filter = 4 * config_.model.hidden;
    try {
      check_config(config_);
    } catch (const Refusal& e) {
      throw placed(config_, e);  // for an unreadable network file
    }
    config_.wafer.turns = !config_.any_wafer(&BackendKind::board);
    if (config_.runconfig.mode == "generate") read_prompts(config_);
    return std::move(config_);
  }

 private:
  void apply_one(const Override& change) {
    const Place place{"command line", 0};
    if (ModelZooKeys::has(change.key))
      return model_zoo_.add(change.key, parse_value(change.value, place, change.key), place);
    const Key<Config>& key = known_key(change.key, place);
    if (key.repeats) return add(key, change, place);
    config_.places.erase(std::string(key.name));  // the last value wins
    const bool is_text = std::holds_alternative<std::string*>(key.slot(config_)) && !change.value.empty();
    set(change.key, is_text ? YAML::Node(change.value) : parse_value(change.value, place, change.key), place);
  }

  Place file() const { return {config_.file, 0}; }

  /// The key of a name. A former name gets a place, too, so that it is noted.
  const Key<Config>& known_key(const std::string& name, const Place& place) {
    const Key<Config>& key = config_key(name, place);
    if (is_former_key(name)) config_.places.insert_or_assign(name, place);
    return key;
  }

  /// Appends to the list from the command line, which replaces the list in the file.
  void add(const Key<Config>& key, const Override& change, const Place& place) {
    auto& texts = *std::get<std::vector<std::string>*>(key.slot(config_));
    const auto known = config_.places.find(key.name);
    if (known != config_.places.end() && known->second.line == 0) {
      texts.push_back(change.value);
      return;
    }
    config_.places.insert_or_assign(std::string(key.name), place);
    texts = {change.value};
  }

  void set(const std::string& name, const YAML::Node& node, const Place& place) {
    if (ModelZooKeys::has(name)) return model_zoo_.add(name, node, place);
    const Key<Config>& key = known_key(name, place);
    if (left_out(key, node, config_)) return;
    if (const auto [first, is_new] = config_.places.emplace(key.name, place); !is_new) {
      if (node.IsScalar() && node.Scalar() == texts_[std::string(key.name)]) return;  // both names give the same value
      throw place.error(name, fmt::format("sets {}, which {} already sets", key.name, first->second.text()),
                        "remove one");
    }
    if (node.IsScalar()) texts_[std::string(key.name)] = node.Scalar();
    set_value(key.slot(config_), {key.min, key.max, key.choices, key.below, key.several, key.automatic, key.repeats},
              node, std::string(key.name), place);
    if (!is_path_key(key.name)) return;
    try {
      for_each_path(config_, key.name, [](std::string& path) { path = expanded_path(path); });
    } catch (const Refusal& e) {
      throw e.within(key.name).at(place.text());
    }
  }

  Config config_;
  ErrorList errors_;  // all errors of the file and the command line, reported together
  ModelZooKeys model_zoo_;
  std::map<std::string, std::string> texts_;  // scalars of keys, as written
};

}  // namespace

Config parse_config(const std::string& text, const std::string& file, const std::vector<Override>& overrides) {
  Loader loader(file);
  loader.read(text);
  for (const Override& change : overrides) loader.apply(change);
  return loader.finish();
}

Config load_config(const std::string& name, const std::vector<Override>& overrides) {
  constexpr std::size_t kMost = 1 << 20;
  const std::string file = parameter_file(name).string();
  constexpr const char* kHint = "give --params a parameter file, e.g. configs/gpt_tiny.yaml";
  const Place place{file, 0};
  std::string text;
  try {
    text = named_text(file, kMost + 1);
  } catch (const std::system_error& error) {
    throw place.error("", fmt::format("cannot be read: {}", error.code().message()), kHint)
        .caused_by(error.code().value());
  }
  if (const auto other = other_format(std::string_view(text).substr(0, kFormatBytes), Expected::Parameters, file))
    throw place.error("", other->problem, other->hint);
  if (text.size() > kMost) throw place.error("", "is longer than 1 MiB", kHint);
  return parse_config(text, file, overrides);
}

}  // namespace weft::config
