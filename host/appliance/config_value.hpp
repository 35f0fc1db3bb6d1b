/// From one YAML node to one typed value.
#pragma once

#include <yaml-cpp/node/node.h>

#include <string>

#include "host/appliance/config_keys.hpp"

namespace weft {

/// What a value may be.
struct Limits {
  double min, max;                               ///< inclusive
  const std::vector<std::string_view>& choices;  ///< of texts; empty: anything
};

/// Writes `node` into `slot`. Throws ConfigError, naming `key`, if it has the wrong type or is outside `limits`.
void set_value(const Slot& slot, const Limits& limits, const YAML::Node& node, const std::string& key,
               const Place& place);

/// The table's entry for `name`, of which `shown` is the full name. Throws ConfigError with the nearest known name.
template <class Owner>
const Key<Owner>& find_key(const std::vector<Key<Owner>>& keys, std::string_view name, const std::string& shown,
                           const Place& place) {
  std::vector<std::string_view> names;
  for (const Key<Owner>& key : keys) {
    if (key.name == name) return key;
    names.push_back(key.name);
  }
  const std::string near = nearest(name, names);
  throw place.error(shown, "unknown key", near.empty() ? "see weft run --help" : "did you mean " + near + "?");
}

}  // namespace weft
