/// The command line of `weft`.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "host/config/command_line/options.hpp"
#include "host/config/config.hpp"

namespace weft::config {

struct Arguments {
  std::string command;  ///< one of commands.hpp, or empty
  bool help = false;
  bool version = false;
  std::string params;               ///< the parameter file
  std::vector<Override> overrides;  ///< in order; flags such as --num_csx are overrides of their keys
  Options options;                  ///< the command's own flags
};

/// `words`: the words after the program's name. `--name value` and `--name=value` are equivalent; a name with a dot
/// overrides a key of the parameter file. Throws Refusal.
Arguments parse_arguments(const std::vector<std::string>& words);

/// Options that make another command inspect the same training run: `--params FILE --key value ...`, quoted for a
/// shell. Empty if the mode on the command line has no training steps.
std::string options_to_inspect(const Arguments& arguments);

/// Prints all commands, by use.
void print_help(std::ostream& out);
/// Prints the command's flags; for `run`, also every key of a parameter file.
void print_command_help(const std::string& command, std::ostream& out);

}  // namespace weft::config
