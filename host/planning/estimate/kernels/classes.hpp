/// Groups rows that behave alike in a kernel.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "host/planning/estimate/kernels/interpret.hpp"

namespace weft::planning {

/// First row of each kind. A kind is determined by the row's features and heads, and its position: first or last of its
/// group, or of the wafer. O(rows).
std::vector<KernelRow> kinds_of_rows(const compiler::Plan& plan);

/// Cost of a call over all rows: the cycles of the slowest row, and the beats of the busiest.
class KernelCosts {
 public:
  /// `plan` must outlive this object.
  explicit KernelCosts(const compiler::Plan& plan) : plan_(plan), rows_(kinds_of_rows(plan)) {}

  KernelCost of(const StreamCall& call);
  /// Key of the cost: sizes, and the half of memory in which each array is. The position within a half is ignored,
  /// though it shifts hazards by a few cycles.
  std::string kind_of(const StreamCall& call) const;

 private:
  const compiler::Plan& plan_;
  std::vector<KernelRow> rows_;
  std::map<std::string, KernelCost> known_;  // by kind_of
};

}  // namespace weft::planning
