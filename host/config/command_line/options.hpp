/// Flags of a command that are not keys of a parameter file (commands.hpp), by name.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace weft::config {

using Options = std::map<std::string, std::string>;

/// Text of the option, or `otherwise` if it is not given.
std::string option(const Options& options, const std::string& name, const std::string& otherwise);

/// Number given by the option, at most 10^12, or `otherwise`. Throws Refusal of `--name`.
std::uint64_t number(const Options& options, const std::string& name, std::uint64_t otherwise);

}  // namespace weft::config
