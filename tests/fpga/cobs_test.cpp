/// Byte stuffing against the test's own implementation, frame by frame.
#include <gtest/gtest.h>

#include "Vweft_cobs_decoder.h"
#include "Vweft_cobs_encoder.h"
#include "tests/clock.hpp"
#include "tests/fpga/frames.hpp"
#include "tests/random.hpp"

namespace weft::test {
namespace {

struct Encoder {
  Encoder() { reset(dut); }
  /// Returns the line's bytes; the line takes one in `slowness` cycles.
  Bytes operator()(const Bytes& frame, unsigned slowness = 1) {
    Bytes out;
    std::size_t at = 0;
    for (unsigned t = 0; out.empty() || out.back() != 0; ++t) {
      dut.valid_i = at <= frame.size();
      dut.beat_i = static_cast<SData>(at < frame.size() ? frame[at] : 0x100);
      dut.ready_i = t % slowness == 0;
      dut.clk_i = 0;
      dut.eval();
      if (dut.valid_i && dut.ready_o) ++at;
      if (dut.valid_o && dut.ready_i) out.push_back(dut.data_o);
      dut.clk_i = 1;
      dut.eval();
      if (t > 100000) return {};
    }
    EXPECT_EQ(at, frame.size() + 1);
    dut.valid_i = 0;
    return out;
  }
  Vweft_cobs_encoder dut;
};

struct Ended {
  Bytes frame;
  bool damaged;
  friend bool operator==(const Ended&, const Ended&) = default;
};

struct Decoder {
  Decoder() {
    reset(dut);
    dut.ready_i = 1;
  }
  std::vector<Ended> operator()(const Bytes& line) {
    std::vector<Ended> ended;
    for (std::size_t i = 0; i <= line.size(); ++i) {
      dut.valid_i = i < line.size();
      if (dut.valid_i) dut.data_i = line[i];
      clock(dut);
      if (!dut.valid_o) continue;
      if (dut.beat_o & 0x100) {
        ended.push_back({frame, (dut.beat_o & 1) != 0});
        frame.clear();
      } else {
        frame.push_back(static_cast<std::uint8_t>(dut.beat_o));
      }
    }
    return ended;
  }
  Vweft_cobs_decoder dut;
  Bytes frame;
};

void check(Encoder& encoder, Decoder& decoder, const Bytes& frame, unsigned slowness = 1) {
  const Bytes line = encoder(frame, slowness);
  ASSERT_EQ(line, stuff(frame)) << frame.size() << " bytes";
  ASSERT_EQ(decoder(line), (std::vector<Ended>{{frame, false}})) << frame.size() << " bytes";
}

TEST(Cobs, StuffsFramesOfEveryLength) {
  Encoder encoder;
  Decoder decoder;
  for (std::size_t length = 0; length <= 530; ++length) {
    check(encoder, decoder, Bytes(length, 0));
    check(encoder, decoder, Bytes(length, 0xff));
    Bytes frame;
    for (std::size_t i = 0; i < length; ++i) frame.push_back(static_cast<std::uint8_t>(i % 255 + 1));
    check(encoder, decoder, frame);
    if (length > 0) {
      frame.back() = 0;
      check(encoder, decoder, frame);
    }
  }
}

TEST(Cobs, AZeroMayStandAnywhereAboutTheEndOfABlock) {
  Encoder encoder;
  Decoder decoder;
  for (std::size_t length = 250; length <= 260; ++length)
    for (std::size_t zero = 0; zero < length; ++zero) {
      Bytes frame(length, 7);
      frame[zero] = 0;
      check(encoder, decoder, frame);
    }
}

TEST(Cobs, AFrameDoesNotDependOnTheOneBefore) {
  Encoder encoder;
  Decoder decoder;
  const std::vector<Bytes> frames = {{}, {0}, Bytes(254, 1), Bytes(508, 1), Bytes(255, 0), {7}};
  for (const Bytes& a : frames)
    for (const Bytes& b : frames) {
      check(encoder, decoder, a);
      check(encoder, decoder, b);
    }
}

TEST(Cobs, ASlowLineChangesNothing) {
  Rng rng(test_seed());
  Encoder encoder;
  Decoder decoder;
  for (int trial = 0; trial < 200; ++trial) {
    Bytes frame(rng.below(600));
    for (std::uint8_t& b : frame) b = static_cast<std::uint8_t>(rng.chance(95) ? 1 + rng.below(255) : 0);
    check(encoder, decoder, frame, 1 + rng.below(5));
  }
}

/// Other encoders may append a redundant empty block to a full one at a frame's end.
TEST(Cobs, TakesAnEmptyBlockBehindAFullOne) {
  Bytes line(257, 9);
  line[0] = 255, line[255] = 1, line[256] = 0;
  EXPECT_EQ(Decoder()(line), (std::vector<Ended>{{Bytes(254, 9), false}}));
}

TEST(Cobs, SaysOfAFrameThatEndsWithinABlockThatItIsDamaged) {
  EXPECT_EQ(Decoder()({5, 1, 2, 0}), (std::vector<Ended>{{{1, 2}, true}}));
}

TEST(Cobs, ZerosBetweenFramesAreNothing) {
  EXPECT_EQ(Decoder()({0, 0, 2, 8, 0, 0, 0, 1, 0, 2, 9, 0}),
            (std::vector<Ended>{{{8}, false}, {{}, false}, {{9}, false}}));
}

TEST(Cobs, TheFrameBehindADamagedOneIsWhole) {
  EXPECT_EQ(Decoder()({200, 1, 0, 3, 4, 5, 0}), (std::vector<Ended>{{{1}, true}, {{4, 5}, false}}));
}

}  // namespace
}  // namespace weft::test
