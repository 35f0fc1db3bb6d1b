/// Generates shell completion and the manual page from the tables of commands, flags and keys.
#pragma once

#include <iosfwd>
#include <string>

namespace weft::config {

/// `weft completion bash|zsh`: prints the completion script of that shell. Throws Refusal for another shell.
void print_completion(const std::string& shell, std::ostream& out);

/// `weft manual`: prints weft(1) as roff. `version`: the output of `weft --version`.
void print_manual(const std::string& version, std::ostream& out);

}  // namespace weft::config
