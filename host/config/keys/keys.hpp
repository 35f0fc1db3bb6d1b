/// Table of all keys of a parameter file: types, checks and help.
#pragma once

#include <iosfwd>
#include <limits>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "host/config/config.hpp"
#include "host/config/keys/effect.hpp"

namespace weft::config {

/// Destination of a value; the alternative determines its type.
using Slot = std::variant<int*, float*, double*, bool*, std::string*, std::vector<double>*, std::vector<std::string>*,
                          std::vector<LearningRatePhase>*>;

template <class Owner>
struct Key {
  std::string_view name;  ///< dotted, e.g. "model.num_heads"
  Effect effect;          ///< effect of another value on the bits of a run
  Slot (*slot)(Owner&);
  std::string_view help;
  double min = 0, max = std::numeric_limits<double>::infinity();  ///< range of numbers, inclusive except for `below`
  std::vector<std::string_view> choices = {};                     ///< choices for text and bool; empty: any
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

/// Prints the table as text, section by section, with types, defaults and ranges.
void print_keys(std::ostream& out);

}  // namespace weft::config
