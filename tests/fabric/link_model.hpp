/// Both ends of a link in C++, as docs/message.md draws them: what the RTL under test is connected to.
///
/// A tick is one clock edge. It takes what the other end showed in the cycle before the edge; afterwards the public
/// members show this end's registers in the cycle after it.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <stdexcept>

#include "tests/random.hpp"

namespace weft::test {

inline constexpr unsigned kColors = 4;
inline constexpr unsigned kDepth = 4;

/// msg_t: {ctrl:1, color:5, data:32}
constexpr std::uint64_t pack(bool ctrl, unsigned color, std::uint32_t data) {
  return std::uint64_t{ctrl} << 37 | std::uint64_t{color} << 32 | data;
}
constexpr bool ctrl_of(std::uint64_t msg) { return msg >> 37 & 1; }
constexpr unsigned color_of(std::uint64_t msg) { return msg >> 32 & 31; }
constexpr std::uint32_t data_of(std::uint64_t msg) { return static_cast<std::uint32_t>(msg); }

class LinkSender {
 public:
  bool valid = false;
  std::uint64_t msg = 0;

  void push(std::uint64_t m) { queue_[color_of(m)].push_back(m); }

  /// Sends with `percent` chance if any color can. `credit`: one bit per color.
  void tick(unsigned credit, Dice& dice, unsigned percent = 100) {
    valid = false;
    if (dice.chance(percent)) {
      const unsigned first = dice.below(kColors);
      for (unsigned k = 0; k < kColors && !valid; ++k) {
        const unsigned c = (first + k) % kColors;
        if (queue_[c].empty() || credits_[c] == 0) continue;
        valid = true;
        msg = queue_[c].front();
        queue_[c].pop_front();
        --credits_[c];
      }
    }
    for (unsigned c = 0; c < kColors; ++c) {
      credits_[c] += credit >> c & 1;
      if (credits_[c] > kDepth) throw std::logic_error("a credit too many came back");
    }
  }

  bool empty() const {
    for (const auto& q : queue_) {
      if (!q.empty()) return false;
    }
    return !valid;
  }
  bool all_credits_home() const { return credits_ == std::array<unsigned, kColors>{kDepth, kDepth, kDepth, kDepth}; }

 private:
  std::array<std::deque<std::uint64_t>, kColors> queue_;
  std::array<unsigned, kColors> credits_{kDepth, kDepth, kDepth, kDepth};
};

class LinkReceiver {
 public:
  unsigned credit = 0;
  /// Colors that are never taken out.
  unsigned blocked = 0;

  /// Takes one message of each color out with `percent` chance and hands it to `taken(msg)`.
  template <class F>
  void tick(bool valid, std::uint64_t msg, Dice& dice, unsigned percent, F&& taken) {
    credit = 0;
    for (unsigned c = 0; c < kColors; ++c) {
      if (buffer_[c].empty() || (blocked >> c & 1) || !dice.chance(percent)) continue;
      taken(buffer_[c].front());
      buffer_[c].pop_front();
      credit |= 1u << c;
    }
    if (!valid) return;
    if (color_of(msg) >= kColors) throw std::logic_error("a color that is not built came out");
    auto& buffer = buffer_[color_of(msg)];
    buffer.push_back(msg);
    if (buffer.size() > kDepth) throw std::logic_error("sent without a credit");
  }

 private:
  std::array<std::deque<std::uint64_t>, kColors> buffer_;
};

}  // namespace weft::test
