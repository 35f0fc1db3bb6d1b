#include "host/config/file/document.hpp"

#include <fmt/format.h>
#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/yaml.h>

#include <map>
#include <optional>
#include <set>

#include "sw/network/yaml_fault.hpp"

namespace weft::config {
namespace {

constexpr auto kNotYaml = "check indentation, quotes and brackets";

std::string name_of(const YAML::Node& node, const Place& parent) {
  if (!node.IsScalar()) throw place_of(node, parent).error("", "a key is not a word", "write key: value");
  return node.Scalar();
}

std::string not_yaml(const YAML::Exception& e) {
  const bool deep = dynamic_cast<const YAML::DeepRecursion*>(&e) != nullptr;  // its own message is "bad file"
  return "not YAML: " + (deep ? "the text is nested too deeply" : e.msg);
}

/// Adds the mappings that `<<` names to a section. Keys that the section already has win.
class Merge {
 public:
  explicit Merge(DocumentSection& to) : to_(to) {
    for (const DocumentEntry& entry : to.entries) names_.insert(entry.name);
  }

  /// `from`: a mapping or a list of mappings. Nested lists are not followed: an alias may refer to an enclosing node,
  /// so they might never end.
  void add(const YAML::Node& from, const Place& place) {
    if (!from.IsSequence()) return add_one(from, place);
    for (const auto& one : from) add_one(one, place);
  }

 private:
  void add_one(const YAML::Node& from, const Place& place) {
    if (!from.IsMap()) throw place.error(to_.name + ".<<", "is not a mapping", "name an anchor: <<: *anchor");
    for (const auto& entry : from) {
      if (++seen_ > kMost) {
        throw place.error(to_.name + ".<<", fmt::format("merges more than {} keys", kMost),
                          "write out those that are meant");
      }
      const std::string name = name_of(entry.first, place);
      const Place there = place_of(entry.first, place);
      if (name == "<<") throw there.error(to_.name + ".<<", "a merge within a merge", "merge once");
      if (names_.insert(name).second) to_.entries.push_back({name, entry.second, there});
    }
  }

  static constexpr std::size_t kMost = 100'000;  // a short text can name a long mapping many times
  DocumentSection& to_;
  std::set<std::string> names_;
  std::size_t seen_ = 0;
};

}  // namespace

Place place_of(const YAML::Node& node, const Place& parent) {
  const YAML::Mark mark = node.Mark();
  return {parent.source, parent.line > 0 && !mark.is_null() ? mark.line + 1 : parent.line};
}

DocumentSection read_section(const std::string& name, const YAML::Node& node, const Place& place) {
  DocumentSection section{name, place, {}};
  if (node.IsNull()) return section;  // a section without keys
  if (!node.IsMap()) throw place.error(name, "is not a section", "put its keys, indented, below it");
  std::map<std::string, Place> keys;
  for (const auto& entry : node) {
    const std::string key = name_of(entry.first, place);
    const Place there = place_of(entry.first, place);
    if (key == "<<") continue;
    if (const auto [first, is_new] = keys.emplace(key, there); !is_new) {
      throw there.error(name + "." + key, fmt::format("given twice, first at {}", first->second.text()), "remove one");
    }
    section.entries.push_back({key, entry.second, there});
  }
  Merge merge(section);
  for (const auto& entry : node) {
    if (name_of(entry.first, place) == "<<") merge.add(entry.second, place_of(entry.first, place));
  }
  return section;
}

std::vector<DocumentEntry> read_document(const std::string& text, const std::string& file) {
  const Place whole{file, 0};
  try {
    if (text.find_first_not_of(" \t\r\n") == std::string::npos)
      throw whole.error("", "is empty", "start from configs/gpt_tiny.yaml");
    if (const auto fault = network::yaml_fault(text))
      throw Place{file, fault->line}.error("", fault->problem, fault->hint);
    const YAML::Node root = YAML::Load(text);
    if (root.IsNull()) throw whole.error("", "is empty", "start from configs/gpt_tiny.yaml");
    if (!root.IsMap()) {
      throw whole.error("", "is not a parameter file", "start with a section, e.g. \"model:\"");
    }
    const Place first{file, 1};
    std::vector<DocumentEntry> sections;
    std::map<std::string, Place> names;
    for (const auto& entry : root) {
      const std::string name = name_of(entry.first, first);
      const Place place = place_of(entry.first, first);
      if (const auto [other, is_new] = names.emplace(name, place); !is_new) {
        throw place.error(name, fmt::format("given twice, first at {}", other->second.text()),
                          "put all its keys into one");
      }
      sections.push_back({name, entry.second, place});
    }
    return sections;
  } catch (const YAML::Exception& e) {
    const auto tab = e.mark.is_null() ? std::nullopt : network::yaml_tab(text, e.mark.line + 1);
    if (tab) throw Place{file, tab->line}.error("", tab->problem, tab->hint);
    throw Place{file, e.mark.is_null() ? 0 : e.mark.line + 1}.error("", not_yaml(e), kNotYaml);
  }
}

YAML::Node parse_value(const std::string& text, const Place& place, const std::string& key) {
  try {
    if (const auto fault = network::yaml_fault(text)) throw place.error(key, fault->problem, fault->hint);
    return YAML::Load(text);
  } catch (const YAML::Exception& e) {
    throw place.error(key, not_yaml(e), kNotYaml);
  }
}

}  // namespace weft::config
