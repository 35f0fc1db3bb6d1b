/// Opens the line that fpga.device names.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "host/board/link/device_info.hpp"
#include "host/board/link/line.hpp"

namespace weft::board {

struct Device {
  std::unique_ptr<Line> line;
  std::shared_ptr<void> needs;  ///< process of an emulated board; must live as long as the line
};

/// `name`: a serial device, udp:ADDRESS[:PORT], or emulated or emulated:udp, which start `emulator`. Throws Refusal of
/// fpga.device or fpga.baud.
Device open_device(const std::string& name, int baud, const std::filesystem::path& emulator);

/// Path of the emulator, in the folder of the running program.
std::filesystem::path emulator_program();

/// Result of meet_board.
struct MetBoard {
  DeviceInfo info;
  std::string settings;  ///< settings of its line (Line::settings)
};

/// Requests the board's ABOUT and releases the board. Throws Refusal, also if no board answers.
MetBoard meet_board(const std::string& name, int baud, const std::filesystem::path& emulator);

/// Hint for a board that does not answer although `bytes` bytes arrived on its line.
std::string silence_hint(const std::string& name, int baud, std::uint64_t bytes);

}  // namespace weft::board
