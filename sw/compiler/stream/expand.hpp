/// Expansion of an op's stream to messages, a piece at a time, in memory that does not grow with the parameters.
///
/// Between hosts only the values are sent, because a host with the plan can make the messages from them: values()
/// returns a piece's values, fill() takes them (docs/explanation/stream.md, How MemoryX expands an op).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sw/base/bf16.hpp"
#include "sw/compiler/stream/op.hpp"
#include "sw/compiler/stream/parameters.hpp"
#include "sw/compiler/stream/staged.hpp"
#include "sw/machine/stream_piece.hpp"

namespace weft::compiler {

/// Makes messages while they are sent. Weights are the values of the parameters at the time a piece is made, rounded to
/// bf16 (nearest even, subnormals to zero).
///
/// A piece consists of whole lines, until it has kPiece messages or the stream ends. Each call continues after the
/// previous piece; for one Expansion only one of the three functions may be used.
class Expansion {
 public:
  /// `op` must outlive this.
  explicit Expansion(const Op& op);

  /// Appends the next piece to `messages`; false if the stream had ended. `parameters`: flat, in the plan's order, and
  /// the same in all calls; empty: weights are zero.
  bool next(const Parameters& parameters, std::vector<machine::Message>& messages);
  /// Appends the next piece's weights to `values`, in stream order. Returns the number of messages of the piece, 0 if
  /// the stream had ended.
  std::size_t values(const Parameters& parameters, std::vector<bf16>& values);
  /// Appends the next piece to `made`, with these weights; nothing if the stream had ended. `made` refers to `values`
  /// and to this object. Returns the number of weights of the piece; if `values` has fewer, the piece is invalid.
  std::size_t fill(std::span<const bf16> values, machine::StreamPiece& made);

  static constexpr std::size_t kPiece = std::size_t{17} << 12;  ///< 65,536 weights and some more

 private:
  template <class Sink>
  void piece(Sink& to);
  template <class Sink>
  void line(Sink& to);
  template <class Sink>
  void whole_line(Sink& to);
  template <class Sink>
  void interleaved_line(Sink& to);
  template <class Sink>
  void numbered_line(Sink& to);

  const Op& op_;
  StreamReader reader_;
  bool begun_ = false;
  std::vector<InterleavedLine> interleaved_;  // [line], if all elements exist
  Staged staged_;
  std::vector<Element> elements_;
  std::vector<std::size_t> ends_;  // [row], of a line of interleaved outputs
  // Numbers of a line's outputs, for each row; and elements of each output sent so far, [row * each + number].
  std::vector<std::vector<std::uint8_t>> orders_;
  std::vector<std::size_t> sent_;
};

/// Fills `messages` with op's whole stream. Weights are parameters rounded to bf16 (nearest even, subnormals to zero),
/// or zero without parameters.
void expand(const Op& op, std::span<const float> parameters, std::vector<machine::Message>& messages);

/// Returns true if op's stream has weights; otherwise the stream does not depend on the parameters.
bool has_weights(const Op& op);

/// Number of messages of op's stream.
std::uint64_t message_count(const Op& op);
/// Number of weights in op's stream, including the few constants 1.0 by which lines add an output's old value.
std::uint64_t weight_count(const Op& op);

/// The whole stream of op, with the parameter of each message.
std::vector<StreamEntry> entries(const Op& op);

}  // namespace weft::compiler
