/// What follows a command and is no key of a parameter file: the command's own flags (commands.hpp), by name.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace weft {

using Options = std::map<std::string, std::string>;

/// The option's text, or another.
std::string option(const Options& options, const std::string& name, const std::string& otherwise);

/// The same of a number, at most 10^12. Throws Refusal of `--name`.
std::uint64_t number(const Options& options, const std::string& name, std::uint64_t otherwise);

}  // namespace weft
