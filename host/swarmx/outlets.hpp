/// Sorts what comes out of a wafer into what each op of the plan returns.
///
/// Ops return in order and each row's outlet keeps order, so the next words of row r belong to the first op that still
/// misses some of row r. A gradient's go straight to their places in its parts, which are row behind row: a part goes
/// up when its last word is here, while the op is still under way, in whatever order that is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
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
  enum class Gradient : std::uint8_t { Waits, Whole, Full };
  /// A part of a gradient that misses words.
  struct Part {
    Bytes payload;
    std::size_t missing;
  };
  bool arrived(const Op& op) const;
  /// All words of op next_, row after row.
  std::vector<std::uint32_t> read();
  /// Takes words of op next_, a gradient, until it has all, or those that are here, or `out` has `most` frames.
  Gradient gradient(std::vector<Frame>& out, std::size_t most);
  void go_up(std::uint32_t part, Bytes payload, std::vector<Frame>& out) const;
  void free_taken();
  void flags(const Op& op, std::span<const std::uint32_t> words) const;

  const Plan& plan_;
  Wafer& wafer_;
  std::size_t next_ = 0;  // op whose words come next
  std::size_t ops_ = 0;
  int sequences_ = 0;
  std::vector<TokenId> labels_;
  std::uint32_t micro_batch_ = 0;
  std::vector<std::uint64_t> totals_;    // [row]
  std::vector<std::size_t> used_;        // [row]: words of the outlet's buffer already taken
  std::vector<std::size_t> read_;        // [row]: words of op next_, a gradient, already in its parts
  std::map<std::uint32_t, Part> parts_;  // of that
};

}  // namespace weft
