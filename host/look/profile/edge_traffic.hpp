/// Deals what passes the west edge to the phases it belongs to.
#pragma once

#include <vector>

#include "host/look/profile/profile.hpp"
#include "sw/compiler/plan.hpp"
#include "verif/sim/clocked_wafer.hpp"

namespace weft::profile {

/// A valve's phase ends with its MARK; an outlet's with the last word that the op returns.
class EdgeTraffic {
 public:
  /// `phases`: that of the tokens, then one for each op of the plan. Both must outlive this.
  EdgeTraffic(const Plan& plan, std::vector<Phase>& phases);

  /// The next events of the wafer, in order.
  void take(const std::vector<EdgeEvent>& events);

 private:
  void out(std::size_t row, std::uint64_t cycle);

  const Plan& plan_;
  std::vector<Phase>& phases_;
  std::vector<std::size_t> valve_phase_, row_op_;
};

}  // namespace weft::profile
