/// What a round returns, by the plan: so many slots, each a part of a gradient, a loss, or the round's stats.
///
/// The one place that knows it. Leaves, nodes that add up and the root ask here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "host/swarmx/contribution.hpp"
#include "host/swarmx/frame.hpp"
#include "host/swarmx/payload.hpp"
#include "sw/compiler/plan.hpp"

namespace weft {

/// Words op's gradient has over all rows.
std::size_t gradient_words(const Op& op);
/// Frames op's gradient takes (parts); 1 for the loss, 0 for what does not go up.
std::uint32_t parts(const Op& op);

class RoundReturns {
 public:
  struct Slot {
    FrameType type = FrameType::Stats;
    std::uint32_t op = 0;
    std::uint32_t part = 0;
    std::size_t values = 0;  ///< 64-bit integers
  };

  /// A round of training, or with the forward ops only.
  RoundReturns(const Plan& plan, bool train);

  /// In the order of the stream; Stats is the last.
  std::span<const Slot> slots() const& { return slots_; }
  std::span<const Slot> slots() && = delete;
  /// Of a whole micro-batch.
  std::int64_t tokens() const { return tokens_; }

  /// The slot that `frame` is for. Throws CorruptFrame naming `sender` if no round returns such.
  std::size_t find(const Frame& frame, const std::string& sender) const;

  /// What `frame`, which is for `slot`, contributes. Throws CorruptFrame naming `sender` if it says or has anything
  /// else than the micro-batches that it contains can have.
  Contribution read(std::size_t slot, const Frame& frame, const std::string& sender) const;

 private:
  std::vector<Slot> slots_;
  std::vector<std::size_t> first_;  // [op]: slot of its part 0; [ops]: that of the stats
  bool train_;
  std::int64_t tokens_;  // of a whole micro-batch
};

/// Throws CorruptFrame: `sender` said that its losses are of `tokens` tokens.
[[noreturn]] void wrong_loss(const std::string& sender, std::int64_t tokens);

/// Throws CorruptFrame: `sender` broke the protocol.
[[noreturn]] void broken(const std::string& sender, const std::string& how);

/// "step 3, round 1"
std::string place(std::uint64_t step, std::uint32_t round);

}  // namespace weft
