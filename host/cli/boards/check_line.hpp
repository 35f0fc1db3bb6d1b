/// Checks one device of fpga.device: the board's answer, kind and speed, and a loop-back of data.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "host/board/link/session.hpp"
#include "host/cli/boards/findings.hpp"

namespace weft::cli {

/// Options for the check of a line.
struct LineCheck {
  int baud = 2000000;
  board::Duration patience = board::Session::kSilence;  ///< timeout for a board that does not answer
  std::filesystem::path emulator = {};                  ///< build/weft-board
  std::filesystem::path tree = {};                      ///< source tree, for build numbers; may be empty
  std::vector<std::filesystem::path> bitstreams = {};
};

/// Returns true if a board answers.
bool check_line(const std::string& device, const LineCheck& check, Findings& findings);

}  // namespace weft::cli
