/// Sorts what comes out of a wafer into what each op of the plan returns.
///
/// Ops return in order and each row's outlet keeps order, so the next words of row r belong to the first op that still
/// misses some of row r.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "host/swarmx/frame.hpp"
#include "sw/compiler/plan.hpp"
#include "verif/wafer.hpp"

namespace weft {

/// Words row r returns for op.
std::size_t returned(const Op& op, std::size_t row);

class Outlets {
 public:
  /// `plan` and `wafer` must outlive this.
  Outlets(const Plan& plan, Wafer& wafer);

  /// A micro-batch of `sequences` sequences and the first `ops` ops begins.
  void begin(std::size_t ops, int sequences);
  /// Contributions that are complete by now, without step, round and what they contain. Throws GradientOverflow,
  /// SwarmError (a wafer's flag, a loss that is no number).
  void take(std::vector<Frame>& out);
  /// Whether everything of the micro-batch has been taken.
  bool complete() const { return next_ == ops_; }
  /// Messages each outlet will have delivered at the end of this micro-batch, since the wafer's construction.
  const std::vector<std::uint64_t>& totals() const { return totals_; }

 private:
  bool arrived(const Op& op);
  void gradient(std::uint32_t op, std::vector<Frame>& out) const;
  void flags(const Op& op) const;

  const Plan& plan_;
  Wafer& wafer_;
  std::size_t next_ = 0;  // op whose words come next
  std::size_t ops_ = 0;
  int sequences_ = 0;
  std::vector<std::uint64_t> totals_;  // [row]
  std::vector<std::size_t> used_;      // [row]: words of the outlet's buffer already taken
  std::vector<std::uint32_t> words_;   // of op next_, row after row
};

}  // namespace weft
