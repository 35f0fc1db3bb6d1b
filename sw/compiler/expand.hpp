/// An op's stream as messages, a piece at a time: nothing is kept that grows with the parameters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sw/compiler/parameters.hpp"
#include "sw/compiler/plan.hpp"
#include "sw/compiler/staged.hpp"

namespace weft {

/// Makes messages while they are sent. Weights are the parameters as they are when a piece is made, rounded to bf16
/// (nearest even, subnormals to zero).
class Expansion {
 public:
  /// `op` must outlive this.
  explicit Expansion(const Op& op);

  /// Appends to `messages` whole lines until there are kPiece messages more, or the stream ends; false if it had ended.
  /// `parameters`: flat, as the plan has them, and the same in all calls; empty: weights are zero.
  bool next(const Parameters& parameters, std::vector<Message>& messages);

  static constexpr std::size_t kPiece = std::size_t{1} << 16;

 private:
  void line(const Parameters& parameters, std::vector<Message>& messages);
  void whole_line(const Parameters& parameters, std::vector<Message>& messages);
  void dealt_line(const Parameters& parameters, std::vector<Message>& messages);

  const Op& op_;
  SweepReader reader_;
  bool begun_ = false;
  std::vector<DealtLine> dealt_;  // [line], of whole ones
  Staged staged_;
  std::vector<Tap> taps_;
  std::vector<std::size_t> ends_;  // [row], of a line of outputs that are dealt
  static constexpr std::size_t kChunk = 1024;
  std::vector<std::uint64_t> words_ = std::vector<std::uint64_t>(kChunk);  // of a line, some that stay in the cache
  std::vector<Message> made_ = std::vector<Message>(kChunk);               // the same
};

/// Messages of op's stream.
std::uint64_t message_count(const Op& op);

/// All of op's stream with the parameter that each message is of.
std::vector<StreamEntry> entries(const Op& op);

}  // namespace weft
