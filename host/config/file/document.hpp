/// Parameter file as sections of entries: YAML, flattened.
#pragma once

#include <yaml-cpp/node/node.h>

#include <string>
#include <vector>

#include "host/config/error.hpp"

namespace weft::config {

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

/// Entries of a mapping. Follows aliases and merges merge keys (`<<`): the section's own keys take precedence over
/// merged ones, and earlier merged mappings over later ones. Throws Refusal, also for duplicate keys.
DocumentSection read_section(const std::string& name, const YAML::Node& node, const Place& place);

/// Entries of a single YAML document, which must be a mapping. Each is then read by `read_section`. Throws Refusal.
std::vector<DocumentEntry> read_document(const std::string& text, const std::string& file);

/// Place of a node in the same source as `parent`; an override has no lines.
Place place_of(const YAML::Node& node, const Place& parent);

/// Parses the value of an override, which is YAML without line numbers. Throws Refusal.
YAML::Node parse_value(const std::string& text, const Place& place, const std::string& key);

}  // namespace weft::config
