#include "host/swarmx/protocol/op_messages.hpp"

#include <cstring>
#include <string>
#include <utility>

#include "host/swarmx/protocol/op_frames.hpp"
#include "host/swarmx/protocol/pass_returns.hpp"

namespace weft::swarmx {
namespace {

constexpr const char* kParent = "the parent";

}  // namespace

void OpMessages::add(const Frame& frame) {
  if (frame.op >= plan_.ops.size()) broken(kParent, "sent op " + std::to_string(frame.op) + ", which does not exist");
  if (frame.part == 0) begin(frame);
  const std::span<const std::uint8_t> bytes = frame.bytes();
  if (!expansion_ || frame.op != op_ || frame.part != part_++ || bytes.size() < kOpHeader || bytes.size() % 2 != 0)
    broken(kParent, "sent a part out of order of op " + std::to_string(frame.op));
  std::uint32_t head = 0;
  std::memcpy(&head, bytes.data(), kOpHeader);
  const std::span weights(reinterpret_cast<const bf16*>(bytes.data() + kOpHeader), (bytes.size() - kOpHeader) / 2);
  if (!has_weights_) {
    if (head != 0 || !weights.empty() || frame.part != 0) broken(kParent, "sent weights of an op that has none");
    return;
  }
  const bool more = (head & 1) != 0;
  if (!more && waiting_.empty()) {
    payload_ = frame.payload;
    return fill(weights, head >> 1);
  }
  if (more && weights.size() != kMostWeights)
    broken(kParent, "sent a part of op " + std::to_string(op_) + " in frames that are too small");
  if (!most_) most_ = compiler::message_count(plan_.ops[op_]);
  if (waiting_.size() + weights.size() > *most_)
    broken(kParent, "sent more weights than op " + std::to_string(op_) + " has");
  waiting_.insert(waiting_.end(), weights.begin(), weights.end());
  if (more) return;
  joined_ = std::exchange(waiting_, {});
  fill(joined_, head >> 1);
}

void OpMessages::begin(const Frame& frame) {
  end();
  op_ = frame.op;
  part_ = 0;
  most_.reset();
  has_weights_ = compiler::has_weights(plan_.ops[op_]);
  expansion_.emplace(plan_.ops[op_]);
}

void OpMessages::fill(std::span<const bf16> weights, std::uint32_t messages) {
  piece_.clear();
  ready_ = true;
  if (expansion_->fill(weights, piece_) != weights.size() || piece_.size() != messages || messages == 0)
    broken(kParent, "sent a part of op " + std::to_string(op_) + " that differs from its plan");
}

const machine::StreamPiece* OpMessages::next() {
  if (!has_weights_ && expansion_) {
    piece_.clear();
    expansion_->fill({}, piece_);
    ready_ = !piece_.empty();
  }
  return std::exchange(ready_, false) ? &piece_ : nullptr;
}

void OpMessages::end() {
  if (!expansion_) return;
  machine::StreamPiece rest;
  expansion_->fill({}, rest);
  if (!rest.empty() || ready_ || !waiting_.empty()) broken(kParent, "left out a part of op " + std::to_string(op_));
  expansion_.reset();
}

}  // namespace weft::swarmx
