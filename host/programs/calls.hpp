/// Calls of kernels in the tiles of a layout.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "host/programs/image.hpp"

namespace weft::programs {

/// Arguments of a kernel, by the names of its parameters.
using Arguments = std::map<std::string, int>;

/// Calls a kernel in all programs that have it. One CALL starts all tiles: a tile that runs takes no messages of W,
/// which would hold up the call of another tile that it waits for. If the tiles are not those of one SELECT, the CALL
/// is for the entry kEntry, to which a jump is written first; the other tiles halt there. Throws Refusal with `subject`
/// if none has, and for arguments that are missing, unknown, or do not fit a register. Without `arguments` no register
/// is set.
std::vector<machine::Message> calls(const Image& image, const std::string& kernel, const Arguments* arguments,
                                    const std::string& subject);

/// The kernels of all programs, each name once.
std::vector<std::string> kernels(const Image& image);

}  // namespace weft::programs
