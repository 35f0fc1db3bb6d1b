/// Finds keys and sections by name, with suggestions for typos.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "host/config/config.hpp"
#include "host/config/keys/keys.hpp"

namespace weft::config {

/// Section names without duplicates, in the order of the table.
std::vector<std::string_view> config_sections();

/// Key of this name, or of this Model Zoo name. Throws Refusal at `place`.
const Key<Config>& config_key(const std::string& name, const Place& place);
/// Throws Refusal at `place` if there is no such section.
void check_config_section(const std::string& name, const Place& place);

/// Nearest keys, compared without their sections: all keys of the nearest name, "--sparsity.seed or --runconfig.seed",
/// each prefixed with `before`.
std::string nearest_key(std::string_view name, std::string_view before);
/// Keys whose name without the section is `name`, in the same form; empty if there is none.
std::string keys_named(std::string_view name, std::string_view before);
/// Hints for an unknown key such as "waffer.row" and an unknown section such as "waffer".
std::string hint_for_key(std::string_view name);
std::string hint_for_section(std::string_view name);

/// Finds the entry for `name` in the table; `shown` is the full name for messages. Throws Refusal with `hint(name)` as
/// the hint.
template <class Owner, class Hint>
const Key<Owner>& find_key(const std::vector<Key<Owner>>& keys, std::string_view name, const std::string& shown,
                           const Place& place, const Hint& hint) {
  for (const Key<Owner>& key : keys) {
    if (key.name == name) return key;
  }
  throw place.error(shown, "unknown key", hint(name));
}

/// Adds the place of the key that is the subject of `refusal`. Returns other refusals unchanged.
Refusal placed(const Config& config, const Refusal& refusal);

}  // namespace weft::config
