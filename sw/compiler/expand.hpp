/// An op's stream as messages, a piece at a time: nothing is kept that grows with the parameters.
///
/// Between host and host go the values alone, for who has the plan can make the messages of them: of a piece values()
/// has what fill() wants (docs/stream.md, How MemoryX expands an op).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sw/base/bf16.hpp"
#include "sw/compiler/parameters.hpp"
#include "sw/compiler/plan.hpp"
#include "sw/compiler/staged.hpp"
#include "sw/machine/stream_piece.hpp"

namespace weft {

/// Makes messages while they are sent. Weights are the parameters as they are when a piece is made, rounded to bf16
/// (nearest even, subnormals to zero).
///
/// A piece is whole lines until it has kPiece messages, or the stream ends. Each call goes on behind the piece before;
/// of an Expansion only one of the three functions is called.
class Expansion {
 public:
  /// `op` must outlive this.
  explicit Expansion(const Op& op);

  /// Appends the next piece to `messages`; false if the stream had ended. `parameters`: flat, as the plan has them, and
  /// the same in all calls; empty: weights are zero.
  bool next(const Parameters& parameters, std::vector<Message>& messages);
  /// Appends the next piece's weights to `values`, in their order; how many messages the piece has, 0 if the stream had
  /// ended.
  std::size_t values(const Parameters& parameters, std::vector<bf16>& values);
  /// Appends the next piece to `made`, with these weights; nothing if the stream had ended. `made` points to `values`
  /// and into this. Returns how many weights the piece has: if they are more than `values`, it is of no use.
  std::size_t fill(std::span<const bf16> values, StreamPiece& made);

  static constexpr std::size_t kPiece = std::size_t{17} << 12;  ///< 65,536 weights and some more

 private:
  template <class Taker>
  void piece(Taker& to);
  template <class Taker>
  void line(Taker& to);
  template <class Taker>
  void whole_line(Taker& to);
  template <class Taker>
  void dealt_line(Taker& to);

  const Op& op_;
  SweepReader reader_;
  bool begun_ = false;
  std::vector<DealtLine> dealt_;  // [line], of whole ones
  Staged staged_;
  std::vector<Tap> taps_;
  std::vector<std::size_t> ends_;  // [row], of a line of outputs that are dealt
};

/// Whether op's stream has weights: another's is the same whatever the parameters are.
bool has_weights(const Op& op);

/// Messages of op's stream.
std::uint64_t message_count(const Op& op);
/// Weights in it. (Of a row's own old value, which a line adds 1.0 times, too: these are few.)
std::uint64_t weight_count(const Op& op);

/// All of op's stream with the parameter that each message is of.
std::vector<StreamEntry> entries(const Op& op);

}  // namespace weft
