/// Sorts what comes out of a wafer into what each op of the plan returns.
///
/// Ops return in order and each row's outlet keeps order, so the next words of row r belong to the first op that still
/// misses some of row r.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "host/swarmx/frame.hpp"
#include "sw/compiler/plan.hpp"
#include "verif/wafer.hpp"

namespace weft {

/// Words row r returns for op.
std::size_t returned(const Op& op, std::size_t row);

class Outlets {
 public:
  /// `plan` and `wafer` must outlive this. `delivered`, [row]: what the wafer's outlets have delivered before; none:
  /// nothing.
  Outlets(const Plan& plan, Wafer& wafer, std::vector<std::uint64_t> delivered = {});

  /// Micro-batch `micro_batch`, of `sequences` sequences, and the first `ops` ops begin. `labels`: as loss_of takes
  /// them.
  void begin(std::size_t ops, int sequences, std::uint32_t micro_batch = 0, std::vector<TokenId> labels = {});
  /// Appends contributions that are complete by now, without step and round, but not many more than
  /// kTogether: a gradient has as many frames as a tensor is large. Returns whether there are more. Throws
  /// GradientOverflow, SwarmError (a wafer's flag, a loss that is no number).
  bool take(std::vector<Frame>& out);
  static constexpr std::size_t kTogether = 16;
  /// Whether everything of the micro-batch has been taken.
  bool complete() const { return next_ == ops_; }
  /// Messages each outlet will have delivered at the end of this micro-batch, since the wafer's construction.
  const std::vector<std::uint64_t>& totals() const { return totals_; }

 private:
  bool arrived(const Op& op) const;
  /// Fills `to` with the next words of op next_, row after row. Whether these were the last.
  bool read(std::span<std::uint32_t> to);
  /// The next part of a gradient, if it has words. Whether it was the last.
  bool gradient_part(std::vector<Frame>& out);
  void flags(const Op& op, std::span<const std::uint32_t> words) const;

  const Plan& plan_;
  Wafer& wafer_;
  std::size_t next_ = 0;  // op whose words come next
  std::size_t ops_ = 0;
  int sequences_ = 0;
  std::vector<TokenId> labels_;
  std::uint32_t micro_batch_ = 0;
  std::vector<std::uint64_t> totals_;  // [row]
  std::vector<std::size_t> used_;      // [row]: words of the outlet's buffer already taken
  std::size_t row_ = 0, read_ = 0;     // of op next_: where its next word is, words of that row and of all rows before
  std::size_t begin_ = 0;              // of a gradient: words in parts that have been taken
};

}  // namespace weft
