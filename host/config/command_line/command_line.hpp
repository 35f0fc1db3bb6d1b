/// Splits a command line with CLI11, by the tables of commands.hpp, flags.hpp and keys.hpp. Nothing is rejected here:
/// arguments.cpp interprets the result and reports errors.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/config/command_line/commands.hpp"
#include "host/config/command_line/flags.hpp"

namespace weft::config {

/// A flag as typed, or a word that belongs to a flag (CommandInfo::words).
struct Given {
  std::string name;                       ///< without hyphens: name of a flag or a key
  const CommandFlag* own = nullptr;       ///< set for a flag of the command's own
  const Flag* of_key = nullptr;           ///< set for a flag that stands for keys; if both are null, `name` is the key
  std::optional<std::string> value = {};  ///< nullopt if the next word is a flag, or there is none

  bool wants_value() const {
    return own != nullptr ? !own->value.empty() : of_key == nullptr || !of_key->value.empty();
  }
};

struct CommandLine {
  const CommandInfo* command = nullptr;  ///< the first word; null if it is no command
  bool help = false;                     ///< --help or -h, in any position
  bool version = false;                  ///< --version in place of a command
  std::vector<Given> given;              ///< in order
  std::vector<std::string> rest;         ///< unknown flags, and words that belong to no flag, as typed
};

/// `words`: the words after the program's name. The value of a flag follows `=`, or is the next word unless that word
/// begins with `--` or is a one-letter flag; values stay as typed. Flags may
/// be written with hyphens for underscores. For commands that take keys, a name with a dot is a
/// key, known or not.
CommandLine read_command_line(const std::vector<std::string>& words);

}  // namespace weft::config
