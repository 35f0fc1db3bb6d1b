/// The command line of `weft`.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "host/config/config.hpp"
#include "host/config/options.hpp"

namespace weft {

struct Arguments {
  std::string command;  ///< of commands.hpp, or empty
  bool help = false;
  bool version = false;
  std::string params;               ///< the parameter file
  std::vector<Override> overrides;  ///< in order; flags such as --num_csx are overrides of their keys
  Options options;                  ///< the command's own flags
};

/// `words`: what follows the program's name. `--name value` and `--name=value` mean the same; a name with a dot
/// overrides the parameter file's key. Throws Refusal.
Arguments parse_arguments(const std::vector<std::string>& words);

/// What a command that looks at the same training needs: `--params FILE --key value ...`, quoted for a shell. Empty if
/// the mode that is typed has no training steps.
std::string options_to_look(const Arguments& arguments);

void print_help(std::ostream& out);
/// With every key of a parameter file.
void print_command_help(const std::string& command, std::ostream& out);

}  // namespace weft
