/// From one YAML node to one typed value.
#pragma once

#include <yaml-cpp/node/node.h>

#include <string>

#include "host/appliance/config/keys.hpp"

namespace weft {

/// What a value may be.
struct Limits {
  double min, max;                               ///< inclusive but for `below`
  const std::vector<std::string_view>& choices;  ///< of texts; empty: anything
  bool below = false;                            ///< max itself is out of range
  bool several = false;                          ///< choices, with commas between
  bool automatic = false;                        ///< "auto" is an integer, 0
  bool repeats = false;                          ///< a list of texts may be empty, and an empty text is such a list
};

/// Writes `node` into `slot`. Throws Refusal, naming `key`, if it has the wrong type or is outside `limits`.
void set_value(const Slot& slot, const Limits& limits, const YAML::Node& node, const std::string& key,
               const Place& place);

/// The table's entry for `name`, of which `shown` is the full name. Throws Refusal with what `hint(name)` says.
template <class Owner, class Hint>
const Key<Owner>& find_key(const std::vector<Key<Owner>>& keys, std::string_view name, const std::string& shown,
                           const Place& place, const Hint& hint) {
  for (const Key<Owner>& key : keys) {
    if (key.name == name) return key;
  }
  throw place.error(shown, "unknown key", hint(name));
}

}  // namespace weft
