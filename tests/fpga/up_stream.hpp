/// The receiving half of a host, for tests of the link's core.
#pragma once

#include "tests/fpga/link_bench.hpp"

namespace weft::test {

/// The receiving half of a host: the stream of the DATA it has accepted, in order.
struct Up {
  explicit Up(LinkBench& b) : bench(b) {}
  /// Takes the frames that arrived, except those for which `lost` is true.
  template <class Lost>
  void take(Lost&& lost) {
    for (const Frame& f : bench.frames) {
      if (lost(f) || f.session != bench.session || f.kind != kData) continue;
      ++seen;
      if (f.seq == bench.ack) {
        stream.insert(stream.end(), f.payload.begin(), f.payload.end());
        ++bench.ack;
      }
      answer = true;
    }
    bench.frames.clear();
  }
  void take() {
    take([](const Frame&) { return false; });
  }
  LinkBench& bench;
  Bytes stream;
  int seen = 0;
  bool answer = false;
};

inline Bytes words_of(const Bytes& stream, int row) {
  Bytes words;
  for (std::size_t i = 0; i < stream.size();) {
    const std::size_t n = 4 * (std::size_t{stream[i] & 15u} + 1);
    if (stream[i] >> 4 == row)
      words.insert(words.end(), stream.begin() + static_cast<std::ptrdiff_t>(i + 1),
                   stream.begin() + static_cast<std::ptrdiff_t>(i + 1 + n));
    i += 1 + n;
  }
  return words;
}

/// Makes the board send a word as one DATA.
inline void one_word(LinkBench& bench, std::uint32_t word) {
  bench.outlets[0].push_back(word);
  bench.run(700);
}

}  // namespace weft::test
