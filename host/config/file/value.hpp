/// Converts one YAML node to one typed value.
#pragma once

#include <yaml-cpp/node/node.h>

#include <string>

#include "host/config/keys/keys.hpp"

namespace weft::config {

/// Constraints on a value.
struct Limits {
  double min, max;                               ///< inclusive except for `below`
  const std::vector<std::string_view>& choices;  ///< allowed texts; empty: any
  bool below = false;                            ///< max itself is excluded
  bool several = false;                          ///< several choices, separated by commas
  bool automatic = false;                        ///< "auto" is accepted as an integer, 0
  bool repeats = false;                          ///< a list of texts may be empty; an empty text means an empty list
};

/// Writes `node` into `slot`. Throws Refusal, naming `key`, if it has the wrong type or is outside `limits`.
void set_value(const Slot& slot, const Limits& limits, const YAML::Node& node, const std::string& key,
               const Place& place);

/// True if the default means "not set": an empty text or list, or 0.
bool means_nothing(const Slot& by_default);
/// Copies a value between slots of the same type.
void copy_value(const Slot& slot, const Slot& from);

/// Handles `key: null`, which files use for keys that are not set. Returns true and stores the default in `owner` if
/// the key is optional and its default means "not set". Otherwise a null is a forgotten value, and false is returned.
template <class Owner>
bool left_out(const Key<Owner>& key, const YAML::Node& node, Owner& owner) {
  Owner defaults;
  if (!node.IsNull() || key.required || !means_nothing(key.slot(defaults))) return false;
  copy_value(key.slot(owner), key.slot(defaults));
  return true;
}

}  // namespace weft::config
