/// How a serial device is set.
#pragma once

#include <string>

namespace weft::board {

/// Sets `fd`, which is `path`, to 8N1, raw, at `baud`, reads it back, and compares. Throws Refusal.
void set_serial(int fd, const std::string& path, int baud);

}  // namespace weft::board
