/// From what fpga.device says to a line.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "host/board/about.hpp"
#include "host/board/line.hpp"

namespace weft::board {

struct Device {
  std::unique_ptr<Line> line;
  std::shared_ptr<void> needs;  ///< an emulated board's process; has to live as long as the line
};

/// `name`: a serial device, udp:ADDRESS[:PORT], or emulated, emulated:udp, which start `emulator`. Throws Refusal of
/// fpga.device or fpga.baud.
Device open_device(const std::string& name, int baud, const std::filesystem::path& emulator);

/// What stands beside the running program.
std::filesystem::path emulator_program();

/// A board that has answered.
struct MetBoard {
  About about;
  std::string settings;  ///< of its line (Line::settings)
};

/// Asks the board what it is; it is free again then. Throws Refusal, also if none answers.
MetBoard meet_board(const std::string& name, int baud, const std::filesystem::path& emulator);

/// Hint for a board that does not answer, although so many bytes came from its line.
std::string silence_hint(const std::string& name, int baud, std::uint64_t bytes);

}  // namespace weft::board
