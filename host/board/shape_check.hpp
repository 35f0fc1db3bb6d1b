/// Checks that a board matches the wafer that a configuration describes.
#pragma once

#include <string>

#include "host/board/link/device_info.hpp"
#include "sw/machine/shape.hpp"

namespace weft::board {

/// Throws Refusal of fpga.device, `device`, that lists the differing keys, the board's values and the corrections.
void check_shape(const DeviceInfo& info, const machine::WaferShape& shape, const std::string& device);

}  // namespace weft::board
