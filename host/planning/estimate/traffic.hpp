/// Messages that an op sends and receives, by destination.
#pragma once

#include <cstdint>
#include <vector>

#include "sw/compiler/plan/plan.hpp"

namespace weft::planning {

struct OpTraffic {
  std::vector<std::uint64_t> weights;  ///< [row]: weights or indices
  std::uint64_t commands = 0;          ///< SETREG, CALL and CR
  std::uint64_t lines = 0;             ///< each ends with a CR

  OpTraffic(const compiler::Op& op, const machine::WaferShape& wafer);
  std::uint64_t messages() const;
  /// Messages through the busiest valve. Commands pass all valves, weights only that of their row.
  std::uint64_t fullest_valve(const machine::WaferShape& wafer) const;
};

/// Number of messages that load a micro-batch's tokens into the PEs of all groups of rows.
std::uint64_t token_messages(const compiler::Plan& plan);

}  // namespace weft::planning
