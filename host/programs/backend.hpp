/// Choice of what simulates or is a wafer.
#pragma once

#include <string>

namespace weft::programs {

struct Backend {
  static constexpr int kBaud = 2000000;

  std::string name = "model";  ///< model, rtl, or a board (Board::open)
  int threads = 1;             ///< of the RTL
  int baud = kBaud;            ///< of a board at a serial line
  bool inspect = false;        ///< runs are measured by stall reason (measured_run.hpp)
};

}  // namespace weft::programs
