/// Inverse of op_frames.hpp: makes a wafer's messages from the frames that arrive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "host/swarmx/protocol/frame.hpp"
#include "sw/base/bf16.hpp"
#include "sw/compiler/plan/plan.hpp"
#include "sw/compiler/stream/expand.hpp"
#include "sw/machine/stream_piece.hpp"

namespace weft::swarmx {

class OpMessages {
 public:
  /// `plan` must outlive this.
  explicit OpMessages(const compiler::Plan& plan) : plan_(plan) {}

  /// Takes the next frame of an op, or the first of another one. Throws CorruptFrame if it is neither, if it has
  /// another number of weights or messages than planned, or if the previous op is incomplete.
  void add(const Frame& frame);
  /// Returns the next piece that has arrived, valid until another function is called; null: there is none.
  const machine::StreamPiece* next();
  /// Ends the stream. Throws CorruptFrame if the last op is incomplete.
  void end();

 private:
  void begin(const Frame& frame);
  void fill(std::span<const bf16> weights, std::uint32_t messages);

  const compiler::Plan& plan_;
  std::optional<compiler::Expansion> expansion_;  // expansion of op_
  std::uint32_t op_ = 0, part_ = 0;               // part_: the next one
  bool has_weights_ = false;
  std::optional<std::uint64_t> most_ = std::nullopt;  // messages of op_, once computed
  std::vector<bf16> waiting_;                         // weights of an incomplete piece
  std::vector<bf16> joined_;                          // owns the weights of piece_ if they came in several frames
  std::shared_ptr<const Bytes> payload_ = nullptr;    // owns them if they came in one
  machine::StreamPiece piece_;
  bool ready_ = false;  // piece_ was not returned yet
};

}  // namespace weft::swarmx
