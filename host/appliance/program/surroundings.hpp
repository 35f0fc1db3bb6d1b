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

/// A wafer takes a handful of descriptors: as many as the system allows are ours.
void raise_limits();

}  // namespace weft
