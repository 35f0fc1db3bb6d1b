/// The DATA that an ack confirms, and the time at which a DATA is answered.
#include <algorithm>

#include "tests/fpga/up_stream.hpp"

namespace weft::test {
namespace {

TEST(Acks, AnAckInDataConfirmsToo) {
  LinkBench bench;
  bench.begin();
  one_word(bench, 1);
  bench.frames.clear();
  bench.ack = 1;
  bench.stream({1, 0, 0});
  bench.run(4 * kTimer);
  ASSERT_EQ(bench.frames.size(), 1u);
  EXPECT_EQ(bench.frames[0].kind, kAck);
}

TEST(Acks, DataTellsWhatAnAckWould) {
  LinkBench bench;
  bench.begin();
  bench.line_percent = 0;
  one_word(bench, 1);
  bench.data({1, 0, 0});
  bench.line_percent = 100;
  bench.run(kTimer / 2);
  ASSERT_EQ(bench.frames.size(), 1u) << "no ACK besides";
  EXPECT_EQ(bench.frames[0].kind, kData);
  EXPECT_EQ(bench.frames[0].ack, 1u);
  EXPECT_EQ(bench.frames[0].room, kRoom);
}

TEST(Acks, AnAckConfirmsAllBeforeIt) {
  LinkBench bench;
  bench.begin();
  for (std::uint32_t i = 0; i < 5; ++i) one_word(bench, i);
  bench.ack = 3;
  bench.send(bench.frame(kAck));
  bench.frames.clear();
  bench.run(kTimer + 300);
  std::vector<int> again;
  for (const Frame& f : bench.frames) again.push_back(static_cast<int>(f.seq));
  EXPECT_EQ(again, (std::vector<int>{3, 4}));
}

TEST(Acks, AnAckOfWhatWasNeverSentIsIgnored) {
  LinkBench bench;
  bench.begin();
  for (std::uint32_t i = 0; i < 2; ++i) one_word(bench, i);
  for (int ack = 3; ack < 256; ++ack) {
    bench.ack = static_cast<std::uint32_t>(ack);
    bench.send(bench.frame(kAck));
  }
  bench.ack = 0;
  bench.send(bench.frame(kAck));
  bench.frames.clear();
  bench.run(2 * kTimer);
  ASSERT_GE(bench.frames.size(), 2u);
  EXPECT_EQ(bench.frames[0].seq, 0u);
  EXPECT_EQ(bench.frames[1].seq, 1u);
  EXPECT_EQ(bench.status().stands, 16);
}

/// DATA that wait behind a blocked line were never sent, so an ack cannot confirm them.
TEST(Acks, AnAckOfWhatWaitsToBeSentIsIgnored) {
  LinkBench bench;
  bench.begin();
  bench.line_percent = 0;
  for (std::uint32_t i = 0; i < 3; ++i) one_word(bench, i);
  bench.ack = 2;
  bench.send(bench.frame(kAck));
  bench.line_percent = 100;
  bench.run(200);
  ASSERT_EQ(bench.frames.size(), 3u);
  for (std::uint8_t i = 0; i < 3; ++i) {
    EXPECT_EQ(bench.frames[i].seq, i);
    EXPECT_EQ(bench.frames[i].payload, (Bytes{0, i, 0, 0, 0}));
  }
}

/// The board is sending all DATA again when a late ack confirms more than it has sent again by then.
TEST(Acks, AnAckMayOvertakeWhatIsSentAgain) {
  for (std::uint8_t confirmed = 1; confirmed <= 4; ++confirmed) {
    LinkBench bench;
    bench.begin();
    for (std::uint32_t i = 0; i < 4; ++i) bench.outlets[0].push_back(i), bench.run(385);
    bench.run(60);
    bench.frames.clear();
    while (bench.packet.empty()) bench.cycle();
    bench.line_percent = 0;
    bench.ack = confirmed;
    bench.send(bench.frame(kAck));
    bench.line_percent = 100;
    bench.run(200);
    std::vector<int> expected{0};
    for (int i = confirmed; i < 4; ++i) expected.push_back(i);
    std::vector<int> numbers;
    for (const Frame& f : bench.frames) numbers.push_back(static_cast<int>(f.seq));
    EXPECT_EQ(numbers, expected) << "confirmed " << int{confirmed};
    bench.ack = 4;
    bench.send(bench.frame(kAck));
    bench.frames.clear();
    one_word(bench, 99);
    ASSERT_EQ(bench.frames.size(), 1u);
    EXPECT_EQ(bench.frames[0].seq, 4u);
  }
}

TEST(Acks, AnAckIsForTwoDataOrForOneThatNoOtherFollows) {
  LinkBench bench;
  bench.begin();
  std::size_t acks = 0;
  for (int i = 0; i < 200; ++i) bench.stream(messages_record({}));
  bench.run(100);
  acks = static_cast<std::size_t>(std::ranges::count(bench.frames, kAck, &Frame::kind));
  EXPECT_GE(acks, 100u);
  EXPECT_LE(acks, 170u) << "time passes, too";
  for (int phase = 0; phase < 64; phase += 7) {
    bench.run(200 + phase);
    bench.frames.clear();
    bench.stream(messages_record({}));
    bench.run(64 + 20);
    ASSERT_EQ(bench.frames.size(), 1u) << "phase " << phase;
    EXPECT_EQ(bench.frames[0].ack, bench.seq);
  }
}

TEST(Acks, RejectedDataIsAnsweredAtOnce) {
  LinkBench bench;
  bench.begin();
  bench.stream(messages_record({}));
  for (int phase = 0; phase < 64; phase += 7) {
    bench.run(200 + phase);
    bench.frames.clear();
    Frame f = bench.frame(kData, messages_record({}));
    f.seq = 0;
    bench.send(f);
    bench.run(18);
    ASSERT_EQ(bench.frames.size(), 1u) << "phase " << phase;
  }
}

}  // namespace
}  // namespace weft::test
