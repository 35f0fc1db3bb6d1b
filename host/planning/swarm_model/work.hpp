/// A micro-batch as seen by the swarm: what is sent down, what a wafer computes, what is sent up.
#pragma once

#include <cstddef>
#include <vector>

#include "sw/compiler/plan/plan.hpp"

namespace weft::planning::swarm_model {

struct WorkOp {
  double down = 0;        ///< bytes of its weights
  double messages = 0;    ///< messages that a wafer's thread makes of the bytes
  double seconds = 0;     ///< computing time of a wafer, once all of them have arrived
  double up = 0;          ///< bytes of its gradient, or loss, of one wafer or group of rows
  double parameters = 0;  ///< first read here in a step, so that they must be up to date
  bool sum = false;       ///< a wafer has several groups of rows, and sends their sum up as a node does
};
using Work = std::vector<WorkOp>;

/// Returns the ops of `plan`, or of its forward alone; `seconds`: [op].
Work work_of(const compiler::Plan& plan, const std::vector<double>& seconds, bool train = true);
/// Merges adjacent ops, so that at most `ops` are left.
Work coarse(const Work& work, std::size_t ops);
/// Merges all ops into one.
WorkOp total(const Work& work);

/// Transferred bytes of a weight, and of a gradient value as a wafer returns it
/// (host/swarmx/protocol/contribution.hpp).
inline constexpr double kWeightBytes = 2, kValueBytes = 4;
/// Transferred bytes of a value of a sum.
inline constexpr double kSumBytes = 8;
/// Transferred bytes of a typical frame.
inline constexpr double kFrameDown = 69632 * kWeightBytes, kFrameUp = 32768 * kValueBytes;

}  // namespace weft::planning::swarm_model
