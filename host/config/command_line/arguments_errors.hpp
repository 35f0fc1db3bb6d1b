/// Errors of the command line.
#pragma once

#include <string>

#include "host/config/command_line/command_line.hpp"
#include "host/config/error.hpp"

namespace weft::config {

/// The first word is not a command.
Refusal unknown_command(const std::string& word);

/// A word is not a flag and belongs to none.
Refusal unknown_word(const std::string& word, const CommandInfo& command);

/// Throws Refusal if a flag has a value and takes none, or needs a value and has none.
void check_value(const Given& given);

/// The command needs a parameter file.
Refusal no_params();

}  // namespace weft::config
