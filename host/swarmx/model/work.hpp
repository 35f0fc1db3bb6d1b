/// A micro-batch as the swarm sees it: what goes down, what a wafer computes, what comes up.
#pragma once

#include <cstddef>
#include <vector>

#include "sw/compiler/plan.hpp"

namespace weft::swarm_model {

struct WorkOp {
  double down = 0;        ///< bytes of its messages
  double seconds = 0;     ///< that a wafer computes, once all of them are there
  double up = 0;          ///< bytes of its gradient, or loss, as sums
  double parameters = 0;  ///< that are read here first in a step, and must be up to date
};
using Work = std::vector<WorkOp>;

/// The ops of `plan`, or of its forward alone; `seconds`: [op].
Work work_of(const Plan& plan, const std::vector<double>& seconds, bool train = true);
/// Neighbours together, so that at most `ops` are left.
Work coarse(const Work& work, std::size_t ops);
/// All ops as one.
WorkOp total(const Work& work);

/// Bytes on the way: 4 of a message's data and a bit that says what it is; 8 of a value in a sum
/// (host/swarmx/payload.hpp).
inline constexpr double kMessageBytes = 4.125, kValueBytes = 8;
/// Of a frame, at most.
inline constexpr double kFrameDown = 32768 * kMessageBytes, kFrameUp = 32768 * kValueBytes;

}  // namespace weft::swarm_model
