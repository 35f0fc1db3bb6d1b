/// Configures serial devices.
#pragma once

#include <string>

namespace weft::board {

/// Settings of a device, as the system reports them.
struct SerialSettings {
  int baud_in = 0, baud_out = 0;
  bool raw = false;  ///< eight bits, no parity, one stop bit, no flow control, no translation
};
SerialSettings read_settings(int fd);

/// Sets `fd`, opened from `path`, to raw 8N1 at `baud`, and verifies the settings. Throws Refusal.
void set_serial(int fd, const std::string& path, int baud);

}  // namespace weft::board
