#include "host/config/keys/key_names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "host/config/keys/model_zoo.hpp"
#include "sw/base/did_you_mean.hpp"

namespace weft::config {
namespace {

std::string_view own_name(std::string_view name) { return name.substr(name.find('.') + 1); }

/// Names without section of the keys of a section, or of all keys.
std::vector<std::string_view> own_names(std::string_view section = "") {
  std::vector<std::string_view> names;
  for (const auto& key : config_keys()) {
    if (section.empty() || section_of(key.name) == section) names.push_back(own_name(key.name));
  }
  return names;
}

std::string did_you_mean(std::string_view name) { return fmt::format("did you mean {}?", name); }

}  // namespace

std::vector<std::string_view> config_sections() {
  std::vector<std::string_view> sections;
  for (const auto& key : config_keys()) {
    if (sections.empty() || sections.back() != section_of(key.name)) sections.push_back(section_of(key.name));
  }
  return sections;
}

std::string keys_named(std::string_view name, std::string_view before) {
  std::string all;
  for (const auto& key : config_keys()) {
    if (own_name(key.name) == name) all += fmt::format("{}{}{}", all.empty() ? "" : " or ", before, key.name);
  }
  return all;
}

std::string nearest_key(std::string_view name, std::string_view before) {
  return keys_named(nearest(name, own_names()), before);
}

std::string hint_for_key(std::string_view name) {
  const std::string section = nearest(section_of(name), config_sections());
  const std::string near = section.empty() ? "" : nearest(own_name(name), own_names(section));
  if (!near.empty()) return did_you_mean(section + "." + near);
  const std::string elsewhere = nearest_key(own_name(name), "");
  if (!elsewhere.empty()) return did_you_mean(elsewhere);
  return section == section_of(name) ? fmt::format("keys of {} are {}", section, fmt::join(own_names(section), ", "))
                                     : "see weft run --help";
}

std::string hint_for_section(std::string_view name) {
  const std::vector<std::string_view> sections = config_sections();
  for (const auto& key : config_keys()) {
    if (key.name == name) return fmt::format("write {}, indented, below {}:", own_name(name), section_of(name));
  }
  std::vector<std::string_view> known = sections;
  const std::vector<std::string_view> keys = own_names();
  known.insert(known.end(), keys.begin(), keys.end());
  const std::string near = nearest(name, known);
  if (near.empty()) return fmt::format("sections are {}", fmt::join(sections, ", "));
  return did_you_mean(std::ranges::find(sections, near) != sections.end() ? near : nearest_key(near, ""));
}

const Key<Config>& config_key(const std::string& name, const Place& place) {
  const std::string own(own_key(name));
  const bool known = std::ranges::find(config_keys(), own, &Key<Config>::name) != config_keys().end();
  if (!known && find_lacking_key(name) != nullptr) throw refuse_model_zoo_key(name, place);
  return find_key(config_keys(), own, own, place, hint_for_key);
}

void check_config_section(const std::string& name, const Place& place) {
  const std::vector<std::string_view> sections = config_sections();
  if (std::ranges::find(sections, name) != sections.end()) return;
  if (find_lacking_key(name) != nullptr) throw refuse_model_zoo_key(name, place);
  throw place.error(name, "unknown section", hint_for_section(name));
}

Refusal placed(const Config& config, const Refusal& refusal) {
  const std::string& subject = refusal.subject();
  const std::string key = subject.substr(0, subject.find(": "));
  const bool known = std::ranges::find(config_keys(), key, &Key<Config>::name) != config_keys().end();
  return known ? refusal.at(config.place(key).text()) : refusal;
}

}  // namespace weft::config
