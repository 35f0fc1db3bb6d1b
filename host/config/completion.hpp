/// Completion and the manual page, from the tables of commands, flags and keys.
#pragma once

#include <iosfwd>
#include <string>

namespace weft {

/// `weft completion bash|zsh`: what that shell completes `weft` by. Throws Refusal of another shell.
void print_completion(const std::string& shell, std::ostream& out);

/// `weft manual`: weft(1), as roff. `version`: what `weft --version` prints.
void print_manual(const std::string& version, std::ostream& out);

}  // namespace weft
