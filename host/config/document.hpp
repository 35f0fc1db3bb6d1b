/// A parameter file as sections of entries: what YAML allows, flattened.
#pragma once

#include <yaml-cpp/node/node.h>

#include <string>
#include <vector>

#include "host/config/error.hpp"

namespace weft {

struct DocumentEntry {
  std::string name;
  YAML::Node value;
  Place place;
};

struct DocumentSection {
  std::string name;
  Place place;
  std::vector<DocumentEntry> entries;
};

/// The entries of a mapping. Aliases are followed, merge keys (`<<`) are merged: a key of the section's own counts
/// before a merged one, the earlier of two merged mappings before the later. Throws Refusal, also for what is there
/// twice.
DocumentSection read_section(const std::string& name, const YAML::Node& node, const Place& place);

/// The entries of one YAML document that is a mapping, each to be read by `read_section`. Throws Refusal.
std::vector<DocumentEntry> read_document(const std::string& text, const std::string& file);

/// The place of a node of the same source; an override has no lines.
Place place_of(const YAML::Node& node, const Place& parent);

/// The value of an override: YAML, and no lines. Throws Refusal.
YAML::Node parse_value(const std::string& text, const Place& place, const std::string& key);

}  // namespace weft
