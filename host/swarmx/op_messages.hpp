/// The other side of op_frames.hpp: a wafer's messages of the frames that come to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "host/swarmx/frame.hpp"
#include "sw/base/bf16.hpp"
#include "sw/compiler/expand.hpp"
#include "sw/compiler/plan.hpp"
#include "sw/machine/stream_piece.hpp"

namespace weft {

class OpMessages {
 public:
  /// `plan` must outlive this.
  explicit OpMessages(const Plan& plan) : plan_(plan) {}

  /// Takes the next of an op's frames, or the first of another op. Throws CorruptFrame if it is not, or has another
  /// number of weights or messages than the plan, and if the op before has not come whole.
  void take(const Frame& frame);
  /// A piece that has come, until another function is called; null: none has, or all have been had.
  const StreamPiece* next();
  /// No more comes. Throws CorruptFrame if the last op has not come whole.
  void end();

 private:
  void begin(const Frame& frame);
  void fill(std::span<const bf16> weights, std::uint32_t messages);

  const Plan& plan_;
  std::optional<Expansion> expansion_;  // of op_
  std::uint32_t op_ = 0, part_ = 0;     // part: the next
  bool has_weights_ = false;
  std::optional<std::uint64_t> most_ = std::nullopt;  // messages of op_, if that was asked
  std::vector<bf16> waiting_;                         // weights of a piece of which more is to come
  std::vector<bf16> joined_;                          // all weights of piece_,
  std::shared_ptr<const Bytes> payload_ = nullptr;    // if they are not here
  StreamPiece piece_;
  bool ready_ = false;  // piece_ has not been had
};

}  // namespace weft
