/// A run that can be repeated elsewhere: for the debugger, and to compare backends.
#pragma once

#include <string>
#include <vector>

#include "host/programs/backend.hpp"
#include "host/programs/image.hpp"
#include "sw/machine/state.hpp"

namespace weft::programs {

struct Replay {
  Image image;
  std::string kernel;
  std::vector<machine::Message> messages;  ///< of the run
  std::vector<machine::TileState> states;  ///< before it, with all tiles at rest, [row * cols + col]
  Backend backend;                         ///< of the wafer
};

}  // namespace weft::programs
