/// Frames and their byte stuffing.
#include "host/board/link/frame.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "host/board/lines/cobs.hpp"

namespace weft::board {
namespace {

Frame some_frame(std::size_t payload) {
  Frame frame{.session = 0x12345678, .kind = Kind::Data, .seq = 7, .ack = 9, .room = 0x0203};
  for (std::size_t i = 0; i < payload; ++i) frame.payload.push_back(static_cast<std::uint8_t>(i));
  return frame;
}

TEST(Frame, HasTheBytesOfThePage) {
  Frame frame = some_frame(2);
  const Bytes bytes = encode(frame);
  const Bytes head = {0x78, 0x56, 0x34, 0x12, 0, 7, 9, 3, 2, 0, 1};
  ASSERT_EQ(bytes.size(), head.size() + 4);
  EXPECT_TRUE(std::equal(head.begin(), head.end(), bytes.begin()));
  // Computes the CRC-32C of these eleven bytes bit by bit.
  std::uint32_t crc = 0xFFFFFFFF;
  for (const std::uint8_t byte : head) {
    crc ^= byte;
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1) != 0 ? 0x82F63B78U : 0U);
  }
  EXPECT_EQ(ByteReader(std::span(bytes).last(4)).take<std::uint32_t>(), ~crc);
  // Upper bits are XORed into the register after `seq` and `room`.
  frame.seq = 0xABCDEF07, frame.ack = 0x54321009;
  const Bytes more = encode(frame);
  EXPECT_TRUE(std::equal(head.begin(), head.end(), more.begin()));
  crc = 0xFFFFFFFF;
  for (std::size_t i = 0; i < head.size(); ++i) {
    crc ^= head[i];
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1) != 0 ? 0x82F63B78U : 0U);
    if (i == 5) crc ^= 0xABCDEF;
    if (i == 8) crc ^= 0x543210;
  }
  EXPECT_EQ(ByteReader(std::span(more).last(4)).take<std::uint32_t>(), ~crc);
}

TEST(Frame, SurvivesARoundTrip) {
  for (const std::size_t size : {1U, 2U, 253U, 254U, 255U, 511U, 512U}) {
    const Frame frame = some_frame(size);
    EXPECT_EQ(decode(encode(frame), {}), frame);
  }
}

TEST(Frame, IsNoneIfAnyBitIsOther) {
  const Bytes good = encode(some_frame(5));
  for (std::size_t bit = 0; bit < 8 * good.size(); ++bit) {
    Bytes bad = good;
    bad[bit / 8] ^= static_cast<std::uint8_t>(1 << bit % 8);
    EXPECT_FALSE(decode(bad, {})) << bit;
  }
}

TEST(Frame, IsNoneIfItIsTooShortTooLongOrOfNoKind) {
  const Bytes good = encode(some_frame(5));
  for (std::size_t size = 0; size < good.size(); ++size) EXPECT_FALSE(decode(std::span(good).first(size), {}));
  EXPECT_TRUE(decode(encode(some_frame(512)), {}));
  EXPECT_FALSE(decode(encode(some_frame(513)), {}));
  EXPECT_FALSE(decode(encode(some_frame(0)), {})) << "data without data";
  Frame frame = some_frame(1);
  frame.kind = static_cast<Kind>(9);
  EXPECT_FALSE(decode(encode(frame), {}));
}

/// Upper bits of the counters are not transmitted.
TEST(Frame, IsNoneIfItsSenderCountedOtherwise) {
  const Frame frame{.session = 1, .kind = Kind::Data, .seq = 0x12345678, .ack = 0x89ABCDEF, .payload = {5}};
  const Numbers near{.data = frame.seq, .ack = frame.ack};
  EXPECT_EQ(decode(encode(frame), near), frame);
  for (std::uint32_t bit = 8; bit < 32; ++bit) {
    EXPECT_FALSE(decode(encode(frame), {.data = near.data ^ 1U << bit, .ack = near.ack})) << bit;
    EXPECT_FALSE(decode(encode(frame), {.data = near.data, .ack = near.ack ^ 1U << bit})) << bit;
    for (std::uint32_t other = 8; other < 32; ++other)
      EXPECT_FALSE(decode(encode(frame), {.data = near.data ^ 1U << bit, .ack = near.ack ^ 1U << other}))
          << bit << " " << other;
  }
  Frame debug = frame;
  for (const Kind kind : {Kind::Debug, Kind::Answer}) {
    debug.kind = kind;
    EXPECT_EQ(decode(encode(debug), {.ack = frame.ack, .debug = frame.seq}), debug);
    EXPECT_FALSE(decode(encode(debug), near));
  }
}

/// HELLO and ABOUT begin a session, when neither side knows the other's counters.
TEST(Frame, SessionStartFrameHasNoUpperBits) {
  for (const Kind kind : {Kind::Hello, Kind::About}) {
    const Frame frame{.session = 1, .kind = kind, .ack = 0x1234};
    const auto back = decode(encode(frame), {.ack = 0xFFFFFF00});
    ASSERT_TRUE(back);
    EXPECT_EQ(back->ack, 0x34U);
  }
}

TEST(Frame, HasTheNumberThatIsNearest) {
  for (const std::uint32_t near : {0U, 1U, 127U, 128U, 255U, 256U, 0xFFFFU, 0x10000U, 0xFFFFFFFFU})
    for (int off = -128; off < 128; ++off) {
      const std::uint32_t number = near + static_cast<std::uint32_t>(off);
      const Frame frame{.session = 1, .kind = Kind::Data, .seq = number, .ack = number, .payload = {5}};
      EXPECT_EQ(decode(encode(frame), {.data = near, .ack = near}), frame) << near << " " << off;
      const Frame far{.session = 1, .kind = Kind::Data, .seq = number + 256, .ack = number, .payload = {5}};
      EXPECT_FALSE(decode(encode(far), {.data = near, .ack = near})) << near << " " << off;
    }
}

Bytes unstuffed(Unstuffer& line, std::span<const std::uint8_t> bytes) {
  Bytes frame;
  for (const std::uint8_t byte : bytes)
    if (line.push(byte)) frame = line.frame();
  return frame;
}

TEST(Stuffing, HasNoZeroButTheLastAndRoundTrips) {
  std::mt19937 rng(3);
  Unstuffer line(kMostFrame);
  for (std::size_t size = 1; size <= kMostFrame; ++size) {
    for (const unsigned kinds : {1U, 2U, 256U}) {
      Bytes bytes(size);
      for (auto& byte : bytes) byte = static_cast<std::uint8_t>(kinds == 1 ? 5 : rng() % kinds);
      Bytes stuffed;
      stuff(bytes, stuffed);
      ASSERT_EQ(std::ranges::find(stuffed, 0), stuffed.end() - 1);
      ASSERT_LE(stuffed.size(), size + size / 254 + 2);
      ASSERT_EQ(unstuffed(line, stuffed), bytes) << size << " of " << kinds;
    }
  }
  EXPECT_EQ(line.broken_frames(), 0U);
}

TEST(Stuffing, KnowsTheExamplesOfItsInventors) {
  const auto stuffed = [](const Bytes& bytes) {
    Bytes to;
    stuff(bytes, to);
    return to;
  };
  EXPECT_EQ(stuffed({0}), (Bytes{1, 1, 0}));
  EXPECT_EQ(stuffed({0x11, 0x22, 0, 0x33}), (Bytes{3, 0x11, 0x22, 2, 0x33, 0}));
  EXPECT_EQ(stuffed({0x11, 0, 0, 0}), (Bytes{2, 0x11, 1, 1, 1, 0}));
  // A full block at the end may or may not be followed by a code; both decode to the same bytes.
  Bytes full(254, 9), with = {255}, without;
  with.insert(with.end(), full.begin(), full.end());
  without = with;
  without.push_back(0);
  with.insert(with.end(), {1, 0});
  Unstuffer line(kMostFrame);
  EXPECT_EQ(unstuffed(line, with), full);
  EXPECT_EQ(unstuffed(line, without), full);
}

TEST(Stuffing, NoiseBetweenFramesCostsNoOtherFrame) {
  std::mt19937 rng(11);
  Unstuffer line(kMostFrame);
  const Bytes bytes = encode(some_frame(300));
  for (int n = 0; n < 500; ++n) {
    Bytes noise(rng() % 900);
    for (auto& byte : noise) byte = static_cast<std::uint8_t>(rng());
    noise.push_back(0);
    unstuffed(line, noise);
    Bytes stuffed;
    stuff(bytes, stuffed);
    ASSERT_EQ(unstuffed(line, stuffed), bytes);
  }
  EXPECT_GT(line.broken_frames(), 0U);
}

}  // namespace
}  // namespace weft::board
