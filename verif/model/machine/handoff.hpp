/// The handoff queues between the two threads of a PE.
#pragma once

#include <array>
#include <cstdint>

namespace weft::model {

/// An entry of MP; those of PM carry nothing.
struct Handoff {
  bool last = false;
  int count = 0;
};

/// A queue of two entries with the parities of its two ends.
class HandoffQueue {
 public:
  bool room() const { return put_ - taken_ < 2; }
  bool any() const { return put_ != taken_; }
  int size() const { return static_cast<int>(put_ - taken_); }
  int put_parity() const { return put_ & 1; }
  int taken_parity() const { return taken_ & 1; }
  const Handoff& front() const { return entries_[taken_ & 1]; }
  /// The i-th from the front.
  const Handoff& operator[](int i) const { return entries_[(taken_ + static_cast<unsigned>(i)) & 1]; }
  void push(Handoff h) { entries_[put_++ & 1] = h; }
  void pop() { ++taken_; }
  /// Empty, as after so many entries modulo 2.
  void clear(int parity) { put_ = taken_ = static_cast<std::uint32_t>(parity & 1); }

 private:
  std::array<Handoff, 2> entries_{};
  std::uint32_t put_ = 0, taken_ = 0;
};

}  // namespace weft::model
