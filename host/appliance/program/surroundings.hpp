/// What the program finds around itself.
#pragma once

#include <filesystem>

namespace weft {

/// What stands beside this program.
std::filesystem::path beside(const char* name);

/// On a terminal that can clear a line.
bool shows_progress();

/// On a terminal, unless NO_COLOR is set and not empty.
bool shows_colors();

/// Opens what is closed of standard input, output and error, so that no file or socket gets its number: a message would
/// be written into that file. Reading and writing them fails as before. Call it before anything else is opened.
void fill_standard_streams();

/// A wafer takes a handful of descriptors: as many as the system allows are ours.
void raise_limits();

}  // namespace weft
