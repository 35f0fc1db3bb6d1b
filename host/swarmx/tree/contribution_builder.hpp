/// Assigns the words that come out of a wafer to the ops that return them.
///
/// Ops return in order and each row's outlet keeps order, so the next words of row r belong to the first op that still
/// misses some of row r. Words of a gradient are copied straight to their positions in its parts, which are row after
/// row. A part is sent up when its last word has arrived, even while the op is under way, and in any order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "host/swarmx/protocol/frame.hpp"
#include "sw/compiler/plan/plan.hpp"
#include "verif/wafer.hpp"

namespace weft::swarmx {

/// Number of words that row r returns for op.
std::size_t returned(const compiler::Op& op, std::size_t row);

class ContributionBuilder {
 public:
  /// `plan` and `wafer` must outlive this. `delivered`, [row]: messages that the outlets have delivered before; none:
  /// 0. `first_row`: the first row of a group of the wafer's rows.
  ContributionBuilder(const compiler::Plan& plan, Wafer& wafer, std::vector<std::uint64_t> delivered = {},
                      int first_row = 0);

  /// Begins micro-batch `micro_batch`, of `sequences` sequences, and the first `ops` ops. `labels`: as for loss_of.
  void begin(std::size_t ops, int sequences, std::uint32_t micro_batch = 0, std::vector<TokenId> labels = {});
  /// Appends contributions that are complete by now, without step and pass, but not many more than kTogether: a
  /// gradient has as many frames as its tensor is large. Returns whether there are more. Throws GradientOverflow,
  /// LossNotFinite, and SwarmError (a wafer's flag, an overflow of the loss).
  bool take(std::vector<Frame>& out);
  static constexpr std::size_t kTogether = 16;
  /// True if everything of the micro-batch has been taken.
  bool complete() const { return next_ == ops_; }
  /// Messages that each outlet will have delivered at the end of this micro-batch, since the wafer's construction.
  const std::vector<std::uint64_t>& totals() const { return totals_; }

 private:
  enum class Gradient : std::uint8_t { Waits, Whole, Full };
  /// Part of a gradient that misses words.
  struct Part {
    Bytes payload;
    std::size_t missing;
  };
  std::vector<std::uint32_t>& outlet(std::size_t row) const {
    return wafer_.outlet(first_row_ + static_cast<int>(row));
  }
  bool arrived(const compiler::Op& op) const;
  /// Reads all words of op next_, row after row.
  std::vector<std::uint32_t> read();
  /// Takes words of op next_, a gradient, until it has all, none are left for now, or `out` has `most` frames.
  Gradient gradient(std::vector<Frame>& out, std::size_t most);
  void go_up(std::uint32_t part, Bytes payload, std::vector<Frame>& out) const;
  void free_taken();
  void flags(const compiler::Op& op, std::span<const std::uint32_t> words) const;

  const compiler::Plan& plan_;
  Wafer& wafer_;
  const int first_row_;
  std::size_t next_ = 0;  // op of the next words
  std::size_t ops_ = 0;
  std::size_t losses_ = 0;  // returned so far
  int sequences_ = 0;
  std::vector<TokenId> labels_;
  std::uint32_t micro_batch_ = 0;
  std::vector<std::uint64_t> totals_;    // [row]
  std::vector<std::size_t> used_;        // [row]: words of the outlet's buffer already taken
  std::vector<std::size_t> read_;        // [row]: words of op next_, a gradient, already in its parts
  std::map<std::uint32_t, Part> parts_;  // incomplete parts of that gradient
};

}  // namespace weft::swarmx
