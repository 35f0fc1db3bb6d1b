/// The one table of everything a parameter file may say: it types, checks, documents and names the neighbours of a
/// typo.
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

/// Where a value goes; its alternative is its type.
using Slot = std::variant<int*, float*, double*, bool*, std::string*, std::vector<double>*, std::vector<std::string>*,
                          std::vector<LearningRatePhase>*>;

template <class Owner>
struct Key {
  std::string_view name;  ///< dotted, e.g. "model.num_heads"
  Effect effect;          ///< of another value on the bits of a run
  Slot (*slot)(Owner&);
  std::string_view help;
  double min = 0, max = std::numeric_limits<double>::infinity();  ///< of numbers, inclusive but for `below`
  std::vector<std::string_view> choices = {};                     ///< of text and bool; empty: anything
  bool required = false;
  bool below = false;      ///< max itself is out of range
  bool several = false;    ///< of `choices`: any number of them, with commas between
  bool automatic = false;  ///< an integer, or "auto", which is 0 until somebody knows better
  bool repeats = false;    ///< texts: given several times on the command line, each as it stands; or none at all
};

const std::vector<Key<Config>>& config_keys();
const std::vector<Key<LearningRatePhase>>& phase_keys();

/// "integer", "number", "true or false", ...
std::string_view type_name(const Slot& slot);
std::string value_text(const Slot& slot);
/// "default 4; 2..1024": whether it is required, its default, of which values.
std::string key_notes(const Key<Config>& key, const Slot& slot);

/// "model" of "model.num_heads".
inline std::string_view section_of(std::string_view name) { return name.substr(0, name.find('.')); }
/// Each once, in the order of the table.
std::vector<std::string_view> config_sections();

/// The key of this name, or the one that the Model Zoo calls so. Throws Refusal at `place`.
const Key<Config>& config_key(const std::string& name, const Place& place);
/// Throws Refusal at `place` if there is no such section.
void check_config_section(const std::string& name, const Place& place);

/// The name closest to `name` by edit distance, of equal ones the first; empty if none is near.
std::string nearest(std::string_view name, const std::vector<std::string_view>& known);
/// The same of a key without its section: all that are called so, "--sparsity.seed or --runconfig.seed", each with
/// `before` before it.
std::string nearest_key(std::string_view name, std::string_view before);
/// The keys that are called `name` without their sections, in the same form; empty if none is.
std::string keys_named(std::string_view name, std::string_view before);
/// What to do about "waffer.row", which is no key, and about "waffer", which is no section.
std::string hint_for_key(std::string_view name);
std::string hint_for_section(std::string_view name);

/// The table as text, section by section, with types, defaults and ranges.
void print_keys(std::ostream& out);

}  // namespace weft
