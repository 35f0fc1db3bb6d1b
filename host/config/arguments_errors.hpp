/// What is said of a command line that cannot be meant so.
#pragma once

#include <string>

#include "host/config/command_line.hpp"
#include "host/config/error.hpp"

namespace weft {

/// Of the first word, which is no command.
Refusal unknown_command(const std::string& word);

/// Of a word, as typed, that is no flag and belongs to none.
Refusal unknown_word(const std::string& word, const CommandInfo& command);

/// Of a flag that has a value and takes none, or takes one and has none; of one that is all right, nothing is thrown.
void check_value(const Given& given);

/// Of a command that needs a parameter file.
Refusal no_params();

}  // namespace weft
