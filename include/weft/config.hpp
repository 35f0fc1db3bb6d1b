/// The settings of a run: a parameter file, and settings that replace those of the file.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weft/export.hpp"

namespace weft {
inline namespace v0 {

/// A key of a parameter file with a dot, "model.num_heads", or a flag of `weft run` without its dashes, "num_csx", or a
/// key of runconfig without its section, "max_new_tokens".
/// `value` is YAML, as on the command line; a flag such as "allow_other_bits" has none, or "true" or "false". A key
/// that the command line repeats, such as "prompt", also takes a list: ["one", "two"].
struct Setting {
  std::string name;
  std::optional<std::string> value = {};
};

/// A checked configuration. Cheap to copy; never changes.
class WEFT_API Config {
 public:
  /// Reads a parameter file, as `weft run --params FILE` does. Throws Error.
  explicit Config(const std::string& file, const std::vector<Setting>& settings = {});
  /// As above, from the text of a parameter file, which messages call `name`.
  static Config from_text(const std::string& yaml, const std::string& name, const std::vector<Setting>& settings = {});

  /// Reads the file again, with these settings after its own ones. Throws Error.
  Config with(const std::vector<Setting>& settings) const;

  /// A parameter file with every key, which makes the same configuration. Paths are absolute.
  std::string yaml() const;
  /// All keys as an object of sections. A setting that is still to be chosen has the value "auto".
  std::string json() const;

  class WEFT_LOCAL Impl;
  explicit Config(std::shared_ptr<const Impl> impl);
  const Impl& impl() const { return *impl_; }

 private:
  std::shared_ptr<const Impl> impl_;
};

}  // namespace v0
}  // namespace weft
