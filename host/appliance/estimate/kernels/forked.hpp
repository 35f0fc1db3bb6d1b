/// What psum does while main waits for it.
#pragma once

#include <array>

#include "host/appliance/estimate/kernels/walk.hpp"

namespace weft {

/// From `fork` at an address until psum's beats are written. `registers`: psum's, as main has filled them.
KernelCost forked(const Program& program, const WaferShape& wafer, const KernelRow& row, std::uint16_t address,
                  std::array<std::uint16_t, 16> registers);

}  // namespace weft
