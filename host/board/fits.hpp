/// Whether a board is the wafer that a configuration asks for.
#pragma once

#include <string>

#include "host/board/about.hpp"
#include "sw/machine/shape.hpp"

namespace weft::board {

/// Throws Refusal of fpga.device, `device`, that says key by key what the board has and what to set.
void check_fits(const About& about, const WaferShape& shape, const std::string& device);

}  // namespace weft::board
