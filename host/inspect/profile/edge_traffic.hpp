/// Assigns the messages that cross the west edge to their phases.
#pragma once

#include <vector>

#include "host/inspect/profile/profile.hpp"
#include "sw/compiler/plan/plan.hpp"
#include "verif/sim/clocked_wafer.hpp"

namespace weft::inspect::profile {

/// On a valve, a phase ends with its MARK; on an outlet, with the last word that the op returns.
class EdgeTraffic {
 public:
  /// `phases`: first the tokens, then one phase per op of the plan. Both must outlive this object.
  EdgeTraffic(const compiler::Plan& plan, std::vector<Phase>& phases);

  /// Processes the next events of the wafer, in order.
  void take(const std::vector<sim::EdgeEvent>& events);

 private:
  void out(std::size_t row, std::uint64_t cycle);

  const compiler::Plan& plan_;
  std::vector<Phase>& phases_;
  std::vector<std::size_t> valve_phase_, row_op_;
};

}  // namespace weft::inspect::profile
