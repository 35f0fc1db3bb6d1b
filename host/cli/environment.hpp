/// Environment of the program: its folder, terminal, standard streams and limits.
#pragma once

#include <filesystem>

namespace weft::cli {

/// Path of a file in the folder of this program.
std::filesystem::path program_sibling(const char* name);

/// True on a terminal that can clear a line.
bool shows_progress();

/// True on a terminal, unless NO_COLOR is set and not empty.
bool shows_colors();

/// Opens standard input, output and error if they are closed, so that no other file or socket gets their numbers and
/// receives messages. Reading and writing them fails as before. Call before anything else is opened.
void open_standard_streams();

/// Raises the limit of open files to the maximum, since each wafer takes several descriptors.
void raise_file_limit();

}  // namespace weft::cli
