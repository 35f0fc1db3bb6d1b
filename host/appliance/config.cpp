#include "host/appliance/config.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "host/appliance/config_value.hpp"

namespace weft {
namespace {

class Loader {
 public:
  explicit Loader(std::string file) { config_.file = std::move(file); }

  void read_file() {
    std::ifstream in(config_.file);
    if (!in || std::filesystem::is_directory(config_.file)) {
      throw file().error("", "cannot be read", "give --params a parameter file, e.g. configs/gpt_tiny.yaml");
    }
    std::stringstream text;
    text << in.rdbuf();
    const YAML::Node root = parse(text.str(), file());
    if (!root.IsMap()) throw file().error("", "is not a parameter file", "start with a section, e.g. \"model:\"");
    for (const auto& section : root) {
      const std::string name = section.first.Scalar();
      const Place place{config_.file, section.first.Mark().line + 1};
      check_section(name, place);
      if (section.second.IsNull()) continue;  // nothing but the section's name
      if (!section.second.IsMap()) throw place.error(name, "is not a section", "put its keys, indented, below it");
      for (const auto& entry : section.second) {
        set(name + "." + entry.first.Scalar(), entry.second, {config_.file, entry.first.Mark().line + 1});
      }
    }
    for (std::string* path :
         {&config_.train_input.data_dir, &config_.eval_input.data_dir, &config_.runconfig.checkpoint_path}) {
      if (!path->empty())
        *path = (std::filesystem::path(config_.file).parent_path() / *path).lexically_normal().string();
    }
  }

  void apply(const Override& change) {
    const Place place{"command line", 0};
    config_.places.erase(change.key);  // the last word wins
    set(change.key, parse(change.value, place), place);
  }

  Config finish() {
    for (const Key<Config>& key : config_keys()) {
      if (key.required && !config_.places.contains(key.name)) {
        throw file().error(key.name, "missing", fmt::format("add it: {}", key.help));
      }
    }
    if (config_.model.filter == 0) config_.model.filter = 4 * config_.model.hidden;
    check_config(config_);
    return std::move(config_);
  }

 private:
  Place file() const { return {config_.file, 0}; }

  static YAML::Node parse(const std::string& text, Place place) {
    try {
      return YAML::Load(text);
    } catch (const YAML::Exception& e) {
      if (!e.mark.is_null() && place.source != "command line") place.line = e.mark.line + 1;
      throw place.error("", "not YAML: " + e.msg, "check indentation, quotes and brackets");
    }
  }

  static void check_section(const std::string& name, const Place& place) {
    std::vector<std::string_view> sections;
    for (const Key<Config>& key : config_keys()) {
      const std::string_view section = key.name.substr(0, key.name.find('.'));
      if (section == name) return;
      if (sections.empty() || sections.back() != section) sections.push_back(section);
    }
    const std::string near = nearest(name, sections);
    throw place.error(name, "unknown section",
                      near.empty() ? fmt::format("sections are {}", fmt::join(sections, ", "))
                                   : fmt::format("did you mean {}?", near));
  }

  void set(const std::string& name, const YAML::Node& node, const Place& place) {
    const Key<Config>& key = find_key(config_keys(), name, name, place);
    const auto [at, is_new] = config_.places.emplace(name, place);
    if (!is_new) throw place.error(name, fmt::format("given twice, first at {}", at->second.text()), "remove one");
    set_value(key.slot(config_), {key.min, key.max, key.choices}, node, name, place);
  }

  Config config_;
};

}  // namespace

ConfigError Config::error(std::string_view key, std::string_view problem, std::string_view hint) const {
  const auto at = places.find(key);
  return (at == places.end() ? Place{file, 0} : at->second).error(key, problem, hint);
}

Config load_config(const std::string& file, const std::vector<Override>& overrides) {
  Loader loader(file);
  loader.read_file();
  for (const Override& change : overrides) loader.apply(change);
  return loader.finish();
}

}  // namespace weft
