/// What an op sends and takes back, by where it goes.
#pragma once

#include <cstdint>
#include <vector>

#include "sw/compiler/plan.hpp"

namespace weft {

struct OpTraffic {
  std::vector<std::uint64_t> weights;  ///< [row], or indices
  std::uint64_t commands = 0;          ///< SETREG, CALL and CR
  std::uint64_t lines = 0;             ///< each ends with a CR

  OpTraffic(const Op& op, const WaferShape& wafer);
  std::uint64_t messages() const;
  /// Commands go through all valves, weights through that of their row.
  std::uint64_t fullest_valve(const WaferShape& wafer) const;
};

/// Messages that put a micro-batch's tokens into the PEs.
std::uint64_t token_messages(const Plan& plan);

}  // namespace weft
