/// The handoff queues between the two threads of a PE.
#pragma once

#include <array>
#include <cstdint>

#include "sw/machine/state.hpp"

namespace weft::model {

/// An entry of MP. Entries of PM carry no data.
struct Handoff {
  bool last = false;
  int count = 0;
  bool empty = false;  ///< no weight was added to its accumulators: they count as +0

  std::uint8_t bits() const { return static_cast<std::uint8_t>(empty << 6 | last << 5 | count); }
  static Handoff of_bits(std::uint8_t b) { return {(b >> 5 & 1) != 0, b & 31, (b >> 6 & 1) != 0}; }
};

/// A queue of two entries. `Buffers`: the number of rotating buffers that the entries refer to.
template <int Buffers>
class HandoffQueue {
 public:
  bool room() const { return size_ < 2; }
  bool any() const { return size_ > 0; }
  int size() const { return size_; }
  int put_buffer() const { return (taken_buffer_ + size_) % Buffers; }
  int taken_buffer() const { return taken_buffer_; }
  const Handoff& front() const { return entries_[0]; }
  void push(Handoff h) {
    entries_[static_cast<std::size_t>(size_++)] = h;
    filled = false;
  }
  void pop() {
    entries_[0] = entries_[1];
    --size_;
    taken_buffer_ = (taken_buffer_ + 1) % Buffers;
  }
  /// As push() and pop(), of an empty queue.
  void pass() {
    taken_buffer_ = (taken_buffer_ + 1) % Buffers;
    filled = false;
  }
  void clear() { *this = {}; }

  machine::HandoffState state() const {
    machine::HandoffState s{
        .entries = {}, .put_buffer = put_buffer(), .taken_buffer = taken_buffer(), .filled = filled};
    for (int i = 0; i < size_; ++i) s.entries.push_back(entries_[static_cast<std::size_t>(i)].bits());
    return s;
  }
  void set(const machine::HandoffState& from) {
    clear();
    taken_buffer_ = from.taken_buffer;
    for (const std::uint8_t entry : from.entries) push(Handoff::of_bits(entry));
    filled = from.filled;
  }

  bool filled = false;  ///< for MP: the buffer of the next entry has received a weight

 private:
  std::array<Handoff, 2> entries_{};
  int size_ = 0, taken_buffer_ = 0;
};

}  // namespace weft::model
