/// Rows to which a kernel is the same.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "host/appliance/estimate/kernels/walk.hpp"

namespace weft {

/// The first row of each kind: its features and heads, whether it is the first or last of its group, or of the wafer.
/// O(rows).
std::vector<KernelRow> kinds_of_rows(const Plan& plan);

/// The rows' kernels, all of them: what a call takes. The slowest row's cycles, the busiest row's beats.
class KernelCosts {
 public:
  /// `plan` must outlive this.
  explicit KernelCosts(const Plan& plan) : plan_(plan), rows_(kinds_of_rows(plan)) {}

  KernelCost of(const StreamCall& call);
  /// What its cost depends on: sizes, and in which half of memory its arrays are. Where in it moves hazards by a few
  /// cycles.
  std::string kind_of(const StreamCall& call) const;

 private:
  const Plan& plan_;
  std::vector<KernelRow> rows_;
  std::map<std::string, KernelCost> known_;  // [kind_of]
};

}  // namespace weft
