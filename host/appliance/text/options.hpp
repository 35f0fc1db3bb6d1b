/// Options that the commands of this folder share. All throw Refusal.
#pragma once

#include <string>
#include <vector>

#include "host/config/options.hpp"

namespace weft {

/// The option `name`, or what to do about it if it is not there.
std::string needed(const Options& options, const std::string& name, const std::string& hint);

/// --threads, 1 to 1024; as many as there are cores if nothing is said.
int threads_of(const Options& options);

/// The files of IN: as text::corpus_files, or those that a shell's pattern names.
std::vector<std::string> texts_of(const std::string& in);

}  // namespace weft
