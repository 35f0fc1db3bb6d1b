/// Options shared by the text commands. All functions throw Refusal.
#pragma once

#include <string>
#include <vector>

#include "host/config/command_line/options.hpp"

namespace weft::cli {

/// Value of the option `name`; Refusal with `hint` if it is missing.
std::string needed(const config::Options& options, const std::string& name, const std::string& hint);

/// --threads, 1 to 1024; default: the number of cores.
int threads_of(const config::Options& options);

/// Files of IN, as for tokenizer::corpus_files, or those matching a shell pattern.
std::vector<std::string> texts_of(const std::string& in);

}  // namespace weft::cli
