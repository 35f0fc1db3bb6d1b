#include "host/swarmx/protocol/frame.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "host/memoryx/fixed_point.hpp"
#include "host/swarmx/base/error.hpp"
#include "host/swarmx/protocol/payload.hpp"
#include "sw/base/bf16.hpp"
#include "sw/base/crc32c.hpp"
#include "tests/swarmx/contributed.hpp"
#include "verif/wafer.hpp"

namespace weft::swarmx {
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

TEST(Frame, IsReceivedAsItWasSent) {
  Frame frame{.type = FrameType::Gradient, .step = 1ULL << 40, .pass = 2, .op = 3, .part = 4, .contains = 5};
  frame.carry({1, 2, 3, 4, 5, 6, 7, 8, 9});
  const Header header = decode_header(encode_header(frame), "wafer 1");
  const Frame back = with_payload(header, *frame.payload, "wafer 1");
  EXPECT_EQ(back.type, frame.type);
  EXPECT_EQ(back.step, frame.step);
  EXPECT_EQ(back.pass, frame.pass);
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

/// The words of a Begin frame that decode_pass must reject.
void refused(const std::vector<std::uint32_t>& words) {
  Bytes bytes(words.size() * 4);
  if (!words.empty()) std::memcpy(bytes.data(), words.data(), bytes.size());
  EXPECT_THROW(decode_pass(bytes), CorruptFrame) << testing::PrintToString(words);
}

TEST(Frame, APassSaysWhoDoesWhat) {
  const Pass pass{false, {{1, 9, false}, {4'000'000'000, 7, true}}};
  const Pass back = decode_pass(encode_pass(pass));
  EXPECT_FALSE(back.train);
  EXPECT_EQ(back.tasks, pass.tasks);
  refused({});
  refused({1});
  refused({2, 1, 9, 0});
  refused({1, 1, 9, 2});
  refused({1, 1, 9, 0, 1, 8, 0});  // a member id twice
  refused({1, 2, 9, 0, 1, 8, 0});
  refused({1, 1, 9, 0, 2, 9, 0});  // a micro-batch twice
  refused({1, 1, 9});
  EXPECT_THROW(decode_pass(Bytes(17)), CorruptFrame);
}

TEST(Frame, AContributionSaysWhatItContains) {
  const std::vector<std::uint32_t> micro_batches{3, 5, 4'000'000'000};
  const std::vector<std::int64_t> values{-1, 0, 1};
  Frame frame{.type = FrameType::Gradient};
  carry(frame, micro_batches, values);
  EXPECT_EQ(frame.contains, 3U);
  const Contributed back = contributed(frame);
  EXPECT_EQ(back.micro_batches, micro_batches);
  EXPECT_EQ(back.values, values);
  for (const std::uint32_t contains : {0U, 4U, 6U, 7U, ~0U}) {  // words after the third micro-batch are values
    Frame lies = frame;
    lies.contains = contains;
    EXPECT_THROW(decode_contribution(lies), CorruptFrame) << contains;
  }
  for (const std::vector<std::int64_t>& bad : {std::vector<std::int64_t>{5, 3, 1}, {3, 3, 1}, {-1, 3, 1}}) {
    Frame lies{.type = FrameType::Gradient, .contains = 2};
    Bytes bytes(sizeof(std::int64_t) * bad.size());
    std::memcpy(bytes.data(), bad.data(), bytes.size());
    lies.carry(std::move(bytes));
    EXPECT_THROW(decode_contribution(lies), CorruptFrame) << testing::PrintToString(bad);
  }
}

TEST(Frame, AWafersGradientIsFp32AndOfOneMicroBatch) {
  const std::vector<std::uint32_t> words{as_bits(1.5F), as_bits(-0x1p-40F), as_bits(2047.99F)};
  Frame frame{.type = FrameType::Gradient};
  carry_words(frame, 4'000'000'000, words.size(),
              [&](std::span<std::uint32_t> to) { std::ranges::copy(words, to.begin()); });
  EXPECT_EQ(frame.contains, 1U);
  EXPECT_EQ(frame.bytes().size(), 20U);
  const Contribution back = decode_contribution(frame);
  EXPECT_EQ(back.micro_batches, std::vector<std::uint32_t>{4'000'000'000});
  EXPECT_TRUE(back.values.empty());
  EXPECT_TRUE(std::ranges::equal(back.words, words));
  std::vector<std::int64_t> expected(3);
  memoryx::to_fixed(words, expected);
  EXPECT_EQ(contributed(frame).values, expected);
  frame.carry(Bytes{1, 0, 0, 0, 1, 0, 0, 0, 9, 9});
  EXPECT_THROW(decode_contribution(frame), CorruptFrame) << "half a word";
  frame.carry(Bytes{1, 0, 0, 0, 2, 0, 0, 0, 9, 9, 9, 9});
  EXPECT_THROW(decode_contribution(frame), CorruptFrame) << "neither";
}

TEST(Frame, MemberIdsAndMicroBatchesComeBack) {
  const std::vector<std::uint32_t> member_ids{0, 7, 4'000'000'000};
  EXPECT_EQ(decode_member_ids(encode_member_ids(member_ids)), member_ids);
  EXPECT_THROW(decode_member_ids({}), CorruptFrame);
  EXPECT_THROW(decode_member_ids(encode_member_ids(std::vector<std::uint32_t>{1, 1})), CorruptFrame);
  EXPECT_THROW(decode_member_ids(Bytes(6)), CorruptFrame);
  const MicroBatch batch{{1, 70000, 3}, {4, 5, kNoLabel}};
  const MicroBatch back = decode_batch(encode_batch(batch));
  EXPECT_EQ(back.inputs, batch.inputs);
  EXPECT_EQ(back.labels, batch.labels);
  EXPECT_EQ(back.class_weight, 1);
  const MicroBatch weighted{{1}, {2}, 2.5F};
  EXPECT_EQ(decode_batch(encode_batch(weighted)).class_weight, 2.5F);
  EXPECT_EQ(encode_batch(weighted).size(), 12U);
  EXPECT_THROW(decode_batch(encode_batch({{1}, {2}, -1})), CorruptFrame);
  EXPECT_THROW(decode_batch(Bytes(4)), CorruptFrame);
  EXPECT_THROW(decode_batch(Bytes(6)), CorruptFrame);
}

TEST(Frame, AnErrorKeepsItsKindAndNamesItsSender) {
  const auto thrown = [](ErrorKind kind) { throw_error(error_frame(kind, "x").bytes(), "wafer 3"); };
  EXPECT_THROW(thrown(ErrorKind::GradientOverflow), memoryx::GradientOverflow);
  EXPECT_THROW(thrown(ErrorKind::WaferHang), WaferHang);
  EXPECT_THROW(thrown(ErrorKind::LossNotFinite), LossNotFinite);
  EXPECT_THROW(thrown(ErrorKind::Diverged), memoryx::Diverged);
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
}  // namespace weft::swarmx
