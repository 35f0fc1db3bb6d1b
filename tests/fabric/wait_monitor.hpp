/// Measures how long every (input, color) of a router waits for an output that it has a credit for, from outside.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "tests/fabric/link_model.hpp"

namespace weft::test {

/// Observes a router whose routes do not change. A message names its input in the top three bits of its data. Between
/// before() and after() is one clock edge.
template <unsigned Ports>
class WaitMonitor {
 public:
  WaitMonitor() {
    for (auto& output : credits_) output.fill(kDepth);
  }
  void route(unsigned input, unsigned color, unsigned outputs) { routes_[input][color] = outputs; }

  /// The router's inputs at the edge: a message of `color` at `input`, credits of `colors` at `output`.
  void push(unsigned input, unsigned color) { pushed_[input] |= 1u << color; }
  void credit(unsigned output, unsigned colors) { returned_[output] |= colors; }

  /// The edge's effects: `output` took a message of (input, color); credits of `colors` were returned at `input`.
  void sent(unsigned output, unsigned input, unsigned color) {
    sent_[output] = static_cast<int>(input * kColors + color);
  }
  void popped(unsigned input, unsigned colors) { popped_[input] |= colors; }

  void after() {
    for (unsigned o = 0; o < Ports; ++o) {
      for (unsigned i = 0; i < Ports; ++i)
        for (unsigned c = 0; c < kColors; ++c) update(i, c, o);
    }
    for (unsigned o = 0; o < Ports; ++o) {
      if (sent_[o] >= 0) {
        const unsigned i = static_cast<unsigned>(sent_[o]) / kColors, c = static_cast<unsigned>(sent_[o]) % kColors;
        served_[i][c] |= 1u << o;
        --credits_[o][c];
      }
      for (unsigned c = 0; c < kColors; ++c) credits_[o][c] += returned_[o] >> c & 1;
    }
    for (unsigned i = 0; i < Ports; ++i) {
      for (unsigned c = 0; c < kColors; ++c) {
        if (popped_[i] >> c & 1) --waiting_[i][c], served_[i][c] = 0;
        waiting_[i][c] += pushed_[i] >> c & 1;
      }
    }
    sent_.fill(-1);
    pushed_ = popped_ = returned_ = {};
  }

  /// The most grants of an output to others, and the most cycles, while an input had a message and a credit for the
  /// output.
  unsigned longest_grants() const { return longest_grants_; }
  unsigned longest_cycles() const { return longest_cycles_; }

 private:
  void update(unsigned i, unsigned c, unsigned o) {
    Wait& wait = waits_[i][c][o];
    const bool could = waiting_[i][c] > 0 && (routes_[i][c] & ~served_[i][c]) >> o & 1 && credits_[o][c] > 0;
    if (!could || sent_[o] == static_cast<int>(i * kColors + c)) {
      wait = {};
      return;
    }
    wait.grants += sent_[o] >= 0;
    ++wait.cycles;
    longest_grants_ = std::max(longest_grants_, wait.grants);
    longest_cycles_ = std::max(longest_cycles_, wait.cycles);
  }

  struct Wait {
    unsigned grants = 0, cycles = 0;
  };
  template <class T>
  using Queues = std::array<std::array<T, kColors>, Ports>;

  Queues<unsigned> routes_{}, waiting_{}, served_{}, credits_{};  // credits by output
  Queues<std::array<Wait, Ports>> waits_{};
  std::array<unsigned, Ports> pushed_{}, popped_{}, returned_{};
  std::array<int, Ports> sent_ = nobody();
  unsigned longest_grants_ = 0, longest_cycles_ = 0;

  static constexpr std::array<int, Ports> nobody() {
    std::array<int, Ports> a{};
    a.fill(-1);
    return a;
  }
};

}  // namespace weft::test
