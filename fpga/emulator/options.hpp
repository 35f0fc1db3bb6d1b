/// The command line of weft-board.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "fpga/emulator/damage.hpp"

namespace weft::emulator {

struct EmulatorOptions {
  std::string link;        ///< a symbolic link to the device, to be created; or empty
  int divider = 4;         ///< cycles a bit
  std::optional<int> udp;  ///< the port
  std::uint64_t seed = 1;
  DamageRates rates;       ///< in both directions
  double reset = 0;        ///< probability, per frame from the host, that the board loses power for a moment
  std::uint64_t most = 0;  ///< cycles, after which it ends with 1; 0: no limit
};

/// Prints the error, or the help, and ends the program.
EmulatorOptions parse(int argc, char** argv);

}  // namespace weft::emulator
