/// The parts of a Config.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/config/command_line/arguments.hpp"
#include "host/config/config.hpp"
#include "weft/config.hpp"

namespace weft::library {

/// A configuration and what it was read from.
struct ReadConfig {
  std::optional<std::string> text;  ///< text of a parameter file; unset: `arguments.params` names the file
  std::vector<Setting> settings;
  config::Arguments arguments;  ///< the command line with these settings
  config::Config config;
};

/// Reads a parameter file or, if given, its text, which messages call `name`. Throws Refusal.
ReadConfig read_config(std::optional<std::string> text, const std::string& name, std::vector<Setting> settings);

/// All keys as JSON.
std::string config_json(const config::Config& config);

}  // namespace weft::library

namespace weft {
inline namespace v0 {

class Config::Impl : public library::ReadConfig {
 public:
  explicit Impl(library::ReadConfig read) : ReadConfig(std::move(read)) {}
};

}  // namespace v0
}  // namespace weft
