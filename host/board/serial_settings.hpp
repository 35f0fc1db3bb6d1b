/// Configures serial devices.
#pragma once

#include <string>

namespace weft::board {

/// Sets `fd`, opened from `path`, to raw 8N1 at `baud`, and verifies the settings. Throws Refusal.
void set_serial(int fd, const std::string& path, int baud);

}  // namespace weft::board
