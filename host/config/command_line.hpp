/// The words of a command line as CLI11 reads them, by the tables of commands.hpp, flags.hpp and keys.hpp. What they
/// mean, and what is said of mistakes, is in arguments.cpp: nothing is refused here.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/config/commands.hpp"
#include "host/config/flags.hpp"

namespace weft {

/// A flag as it was typed, or a word that belongs to one (CommandInfo::words).
struct Given {
  std::string name;                       ///< without hyphens: of a flag, or a key
  const CommandFlag* own = nullptr;       ///< of a flag of the command's own
  const Flag* of_key = nullptr;           ///< of a flag that is a key; where both are null, `name` is the key
  std::optional<std::string> value = {};  ///< none was typed: what comes next is a flag, or nothing

  bool wants_value() const {
    return own != nullptr ? !own->value.empty() : of_key == nullptr || !of_key->value.empty();
  }
};

struct CommandLine {
  const CommandInfo* command = nullptr;  ///< the first word; null: it is none
  bool help = false;                     ///< --help or -h, wherever it stands
  bool version = false;                  ///< --version in a command's place
  std::vector<Given> given;              ///< in order
  std::vector<std::string> rest;         ///< flags that are none and words that belong to none, as typed
};

/// `words`: what follows the program's name. A value is what follows `=`, or else the next word, unless that begins
/// with `--`, or is a flag's letter; it stays as it was typed. A name with a dot is a key, whether there is one of that
/// name or not, of commands that take keys.
CommandLine read_command_line(const std::vector<std::string>& words);

}  // namespace weft
