/// A micro-batch as the swarm sees it: what goes down, what a wafer computes, what comes up.
#pragma once

#include <cstddef>
#include <vector>

#include "sw/compiler/plan.hpp"

namespace weft::swarm_model {

struct WorkOp {
  double down = 0;        ///< bytes of its weights
  double messages = 0;    ///< that a wafer's thread makes of them
  double seconds = 0;     ///< that a wafer computes, once all of them are there
  double up = 0;          ///< bytes of its gradient, or loss, of one wafer
  double parameters = 0;  ///< that are read here first in a step, and must be up to date
};
using Work = std::vector<WorkOp>;

/// The ops of `plan`, or of its forward alone; `seconds`: [op].
Work work_of(const Plan& plan, const std::vector<double>& seconds, bool train = true);
/// Neighbours together, so that at most `ops` are left.
Work coarse(const Work& work, std::size_t ops);
/// All ops as one.
WorkOp total(const Work& work);

/// Bytes on the way: of a weight, and of a gradient as a wafer returns it (host/swarmx/contribution.hpp).
inline constexpr double kWeightBytes = 2, kValueBytes = 4;
/// Of a sum of several.
inline constexpr double kSumBytes = 8;
/// Of a frame, as a rule.
inline constexpr double kFrameDown = 69632 * kWeightBytes, kFrameUp = 32768 * kValueBytes;

}  // namespace weft::swarm_model
