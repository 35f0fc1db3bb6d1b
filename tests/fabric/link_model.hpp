/// Both ends of a link in C++, as docs/reference/message.md draws them, to connect to the RTL under test.
///
/// A tick is one clock edge. It uses the other end's outputs of the cycle before the edge; afterwards the public
/// members are this end's registers in the cycle after it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <stdexcept>

#include "tests/random.hpp"

namespace weft::test {

// Parameters of the module under test, chosen in CMake like those of the Verilated model itself.
#ifndef WEFT_COLORS
#define WEFT_COLORS 4
#define WEFT_DEPTH 4
#endif
inline constexpr unsigned kColors = WEFT_COLORS;
inline constexpr unsigned kDepth = WEFT_DEPTH;
inline constexpr unsigned kAllColors = static_cast<unsigned>((std::uint64_t{1} << kColors) - 1);

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
  /// Colors are chosen round robin; otherwise at random.
  bool in_turn = false;

  void push(std::uint64_t m) { queue_[color_of(m)].push_back(m); }

  /// Sends with `percent` chance if any color can. `credit`: one bit per color.
  void tick(unsigned credit, Rng& rng, unsigned percent = 100) {
    valid = false;
    if (rng.chance(percent)) {
      const unsigned first = in_turn ? next_ : rng.below(kColors);
      for (unsigned k = 0; k < kColors && !valid; ++k) {
        const unsigned c = (first + k) % kColors;
        if (queue_[c].empty() || credits_[c] == 0) continue;
        valid = true;
        msg = queue_[c].front();
        queue_[c].pop_front();
        --credits_[c];
        next_ = c + 1;
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
  bool all_credits_home() const {
    return std::all_of(credits_.begin(), credits_.end(), [](unsigned n) { return n == kDepth; });
  }

 private:
  std::array<std::deque<std::uint64_t>, kColors> queue_;
  std::array<unsigned, kColors> credits_ = filled();
  unsigned next_ = 0;

  static constexpr std::array<unsigned, kColors> filled() {
    std::array<unsigned, kColors> a{};
    a.fill(kDepth);
    return a;
  }
};

class LinkReceiver {
 public:
  unsigned credit = 0;
  /// Colors of which no message is taken.
  unsigned blocked = 0;

  /// Takes one message of each color out with `percent` chance and passes it to `taken(msg)`.
  template <class F>
  void tick(bool valid, std::uint64_t msg, Rng& rng, unsigned percent, F&& taken) {
    credit = 0;
    for (unsigned c = 0; c < kColors; ++c) {
      if (buffer_[c].empty() || (blocked >> c & 1) || !rng.chance(percent)) continue;
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
