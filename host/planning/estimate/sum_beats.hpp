/// Beats of psum's `vr`.
#pragma once

#include <cstdint>

namespace weft::planning {

/// Beats to sum `slots` slots over the lanes and send them west: one entry of MP.
inline std::uint64_t reduce_beats(std::uint64_t lanes, std::uint64_t slots) {
  return lanes == 2 ? 2 * slots : (lanes / 2 - 1) * slots + 2 * ((slots + 1) / 2);
}

}  // namespace weft::planning
