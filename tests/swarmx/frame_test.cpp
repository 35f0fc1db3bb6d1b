#include "host/swarmx/frame.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "host/memoryx/fixed_point.hpp"
#include "host/swarmx/error.hpp"
#include "host/swarmx/payload.hpp"
#include "sw/base/crc32c.hpp"
#include "verif/wafer.hpp"

namespace weft {
namespace {

TEST(Frame, ChecksumIsCastagnolis) {
  const std::string text = "123456789";
  EXPECT_EQ(crc32c(Bytes(text.begin(), text.end())), 0xE3069283U);
  EXPECT_EQ(crc32c({}), 0U);
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    const Bytes first(text.begin(), text.begin() + cut), rest(text.begin() + cut, text.end());
    EXPECT_EQ(crc32c(rest, crc32c(first)), 0xE3069283U);
  }
}

TEST(Frame, ComesBackAsItWasSent) {
  Frame frame{.type = FrameType::Gradient, .step = 1ULL << 40, .round = 2, .op = 3, .part = 4, .contains = 5};
  frame.carry({1, 2, 3, 4, 5, 6, 7, 8, 9});
  const Header header = decode_header(encode_header(frame), "wafer 1");
  const Frame back = with_payload(header, *frame.payload, "wafer 1");
  EXPECT_EQ(back.type, frame.type);
  EXPECT_EQ(back.step, frame.step);
  EXPECT_EQ(back.round, frame.round);
  EXPECT_EQ(back.op, frame.op);
  EXPECT_EQ(back.part, frame.part);
  EXPECT_EQ(back.contains, frame.contains);
  EXPECT_EQ(*back.payload, *frame.payload);
}

TEST(Frame, EveryFlippedBitIsNoticed) {
  Frame frame{.type = FrameType::Loss, .step = 5};
  frame.carry({1, 2, 3, 4, 5, 6, 7, 8});
  const HeaderBytes bytes = encode_header(frame);
  for (std::size_t bit = 0; bit < 8 * kHeaderBytes; ++bit) {
    HeaderBytes flipped = bytes;
    flipped[bit / 8] = static_cast<std::uint8_t>(flipped[bit / 8] ^ (1U << (bit % 8)));
    EXPECT_THROW(decode_header(flipped, "wafer 1"), CorruptFrame) << bit;
  }
  for (std::size_t bit = 0; bit < 64; ++bit) {
    Bytes flipped = *frame.payload;
    flipped[bit / 8] = static_cast<std::uint8_t>(flipped[bit / 8] ^ (1U << (bit % 8)));
    EXPECT_THROW(with_payload(decode_header(bytes, "wafer 1"), flipped, "wafer 1"), CorruptFrame) << bit;
  }
}

TEST(Frame, CarriesMessagesOfBothKinds) {
  std::mt19937 random(1);
  for (std::size_t count = 0; count < 40; ++count) {
    std::vector<Message> messages(count);
    for (Message& message : messages) message = {static_cast<std::uint32_t>(random()), random() % 2 == 0};
    std::vector<Message> back;
    decode_messages(encode_messages(messages), back);
    EXPECT_EQ(back, messages);
  }
  std::vector<Message> none;
  EXPECT_THROW(decode_messages(Bytes{9, 0, 0, 0}, none), CorruptFrame);
  EXPECT_THROW(decode_messages(Bytes{9}, none), CorruptFrame);
}

TEST(Frame, ARoundHasWafersAndMicroBatches) {
  const Round round = decode_round(encode_round({false, 3, 4'000'000'000}));
  EXPECT_EQ(round.wafers, 3U);
  EXPECT_EQ(round.micro_batches, 4'000'000'000U);
  constexpr std::int64_t kLarge = std::int64_t{1} << 32;  // 0 as 32 bits
  for (const std::vector<std::int64_t>& bad :
       {std::vector<std::int64_t>{1, kLarge, 1}, {1, 0, 1}, {1, 1, 0}, {1, 1, kLarge}, {1, -1, 1}, {2, 1, 1}, {1, 1}}) {
    EXPECT_THROW(decode_round(encode_integers(bad)), CorruptFrame);
  }
}

TEST(Frame, ARoundsMicroBatchesAreDealtToItsWafers) {
  const Round round{true, 4, 10};
  EXPECT_EQ(taken(round, 0, 0, 4), 4U);
  EXPECT_EQ(taken(round, 2, 0, 4), 2U);
  EXPECT_EQ(taken(round, 2, 1, 3), 1U);
  EXPECT_EQ(taken(round, 2, 2, 2), 0U);
  EXPECT_EQ(taken(round, ~0U, 0, 4), 0U);
  EXPECT_EQ(taken({true, ~0U, ~0U}, ~0U, 1 << 30, 1 << 30), 0U);
}

TEST(Frame, AnErrorKeepsItsKindAndNamesItsSender) {
  const auto thrown = [](ErrorKind kind) { throw_error(error_frame(kind, "x").bytes(), "wafer 3"); };
  EXPECT_THROW(thrown(ErrorKind::GradientOverflow), GradientOverflow);
  EXPECT_THROW(thrown(ErrorKind::WaferStuck), WaferStuck);
  EXPECT_THROW(thrown(ErrorKind::LossNotFinite), LossNotFinite);
  EXPECT_THROW(thrown(ErrorKind::Diverged), Diverged);
  EXPECT_THROW(throw_error({}, "wafer 3"), CorruptFrame);
  for (const char* text : {"wafer 3: text", "text"}) {
    try {
      throw_error(error_frame(ErrorKind::Swarm, text).bytes(), "wafer 3");
    } catch (const SwarmError& error) {
      EXPECT_STREQ(error.what(), "wafer 3: text");
    }
  }
}

}  // namespace
}  // namespace weft
