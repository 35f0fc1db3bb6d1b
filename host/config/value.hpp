/// From one YAML node to one typed value.
#pragma once

#include <yaml-cpp/node/node.h>

#include <string>

#include "host/config/keys.hpp"

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

/// Whether a key that has this by default means nothing by it: a text or list that is empty, or 0.
bool means_nothing(const Slot& by_default);
/// `slot` gets what is in another of the same type.
void copy_value(const Slot& slot, const Slot& from);

/// `key: null`, which a file says of what is not set: true, and the default is in `owner`, if the key need not be given
/// and by default means nothing. Any other null is a value that was forgotten, and none of this.
template <class Owner>
bool left_out(const Key<Owner>& key, const YAML::Node& node, Owner& owner) {
  Owner defaults;
  if (!node.IsNull() || key.required || !means_nothing(key.slot(defaults))) return false;
  copy_value(key.slot(owner), key.slot(defaults));
  return true;
}

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
