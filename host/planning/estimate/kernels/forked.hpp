/// Cost of psum's work while main waits for it.
#pragma once

#include <array>

#include "host/planning/estimate/kernels/interpret.hpp"

namespace weft {

/// Cost from the `fork` to an address until psum's results are written. `registers`: psum's, as main has set them.
KernelCost forked(const Program& program, const WaferShape& wafer, const KernelRow& row, std::uint16_t address,
                  std::array<std::uint16_t, 16> registers);

}  // namespace weft
