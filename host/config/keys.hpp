/// Table of all keys of a parameter file: types, checks, help, and suggestions for typos.
#pragma once

#include <iosfwd>
#include <limits>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "host/config/config.hpp"
#include "host/config/effect.hpp"

namespace weft {

/// Destination of a value; the alternative determines its type.
using Slot = std::variant<int*, float*, double*, bool*, std::string*, std::vector<double>*, std::vector<std::string>*,
                          std::vector<LearningRatePhase>*>;

template <class Owner>
struct Key {
  std::string_view name;  ///< dotted, e.g. "model.num_heads"
  Effect effect;          ///< of another value, on the bits of a run
  Slot (*slot)(Owner&);
  std::string_view help;
  double min = 0, max = std::numeric_limits<double>::infinity();  ///< of numbers, inclusive except for `below`
  std::vector<std::string_view> choices = {};                     ///< of text and bool; empty: any
  bool required = false;
  bool below = false;      ///< max itself is excluded
  bool several = false;    ///< any number of `choices`, separated by commas
  bool automatic = false;  ///< an integer, or "auto", which is 0 until it is resolved
  bool repeats = false;    ///< texts: repeatable on the command line, each taken literally; empty: none
};

const std::vector<Key<Config>>& config_keys();
const std::vector<Key<LearningRatePhase>>& phase_keys();

/// "integer", "number", "true or false", ...
std::string_view type_name(const Slot& slot);
std::string value_text(const Slot& slot);
/// Notes such as "default 4; 2..1024": whether the key is required, its default and its values.
std::string key_notes(const Key<Config>& key, const Slot& slot);

/// Section of a key: "model" for "model.num_heads".
inline std::string_view section_of(std::string_view name) { return name.substr(0, name.find('.')); }
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

/// Prints the table as text, section by section, with types, defaults and ranges.
void print_keys(std::ostream& out);

}  // namespace weft
