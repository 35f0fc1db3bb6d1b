/// Messages to the intake that have not been distributed yet.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>

#include "sw/machine/stream_piece.hpp"

namespace weft::model {

class Incoming {
 public:
  explicit Incoming(std::span<const machine::Message> messages) : messages_(messages), left_(messages.size()) {}
  explicit Incoming(const machine::StreamPiece& piece)
      : messages_(piece.messages), runs_(piece.runs), left_(piece.size()) {}

  /// Messages left.
  std::size_t left() const { return left_; }

  /// The messages before the next run, at most `most`. Empty if the run is next.
  std::span<const machine::Message> messages(std::size_t most) const {
    const std::size_t end = runs_.empty() ? messages_.size() : std::max(runs_.front().after, at_);
    return messages_.subspan(at_, std::min(end - at_, most));
  }
  void took(std::size_t messages) { at_ += messages, left_ -= messages; }

  /// Takes the next run, at most `most` of it, if a run is next.
  std::optional<machine::StreamPiece::Run> run(std::size_t most) {
    if (runs_.empty() || runs_.front().after > at_ || most == 0) return std::nullopt;
    machine::StreamPiece::Run next = runs_.front();
    const std::size_t size = std::min(next.destinations.size() - in_run_, most);
    next.destinations = next.destinations.subspan(in_run_, size);
    if (next.values != nullptr) next.values += in_run_;
    in_run_ += size, left_ -= size;
    if (in_run_ == runs_.front().destinations.size()) runs_ = runs_.subspan(1), in_run_ = 0;
    return next;
  }

 private:
  std::span<const machine::Message> messages_;
  std::span<const machine::StreamPiece::Run> runs_ = {};
  std::size_t at_ = 0, in_run_ = 0;  // positions in messages_ and in the first run
  std::size_t left_;
};

}  // namespace weft::model
