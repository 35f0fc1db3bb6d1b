/// Numbers of DATA have 32 bits, of which a frame carries eight.
#include "tests/fpga/up_stream.hpp"

namespace weft::test {
namespace {

TEST(Numbers, GoOnBeyond256) {
  LinkBench bench;
  bench.begin();
  Up up(bench);
  std::vector<machine::Message> expected;
  for (std::uint32_t i = 0; i < 520; ++i) {
    bench.stream(messages_record({{i, true}}));
    expected.push_back({i, true});
    one_word(bench, i);
    up.take();
    ASSERT_EQ(bench.ack, i + 1);
    bench.send(bench.frame(kAck));
  }
  EXPECT_EQ(bench.valve, expected);
  EXPECT_EQ(up.stream.size(), 520u * 5);
  const Status s = bench.status();
  EXPECT_EQ(s.again, 0u);
  EXPECT_EQ(s.bad, 0u);
}

TEST(Numbers, GoOnBeyond65536) {
  LinkBench bench;
  bench.begin();
  for (std::uint32_t i = 0; i < 66000; ++i) {
    bench.stream(messages_record({}));
    bench.frames.clear();
  }
  bench.run(100);
  bench.frames.clear();
  bench.stream(messages_record({{5, true}}));
  const auto ack = bench.answer(kAck);
  ASSERT_TRUE(ack);
  EXPECT_EQ(ack->ack, 66001u);
  EXPECT_EQ(bench.valve, (std::vector<machine::Message>{{5, true}}));
  EXPECT_EQ(bench.status().bad, 0u);
}

/// A network may deliver a copy of a packet, keep the original, and deliver it when its low byte is expected again.
TEST(Numbers, OldCopyIsNotTakenForAnExpectedOne) {
  LinkBench bench;
  bench.begin();
  Up up(bench);
  std::vector<Bytes> data, acks;  // as they were on the line
  std::vector<machine::Message> expected;
  std::uint32_t late = 0;
  const auto deliver = [&](const std::vector<Bytes>& from, std::uint32_t i) {
    if (i >= from.size() || i % 3 != 0) return;
    bench.send(from[i]);
    ++late;
  };
  for (std::uint32_t i = 0; i < 600; ++i) {
    if (i >= 256) deliver(data, i - 256);
    Frame f = bench.frame(kData, messages_record({{i, true}}));
    f.seq = bench.seq++;
    data.push_back(encode(f));
    bench.send(data.back());
    expected.push_back({i, true});
    one_word(bench, i);
    if (i >= 256) {
      deliver(acks, i - 256);
      bench.frames.clear();
      bench.run(2 * kTimer);
      EXPECT_FALSE(bench.frames.empty()) << "the word was confirmed by an old ACK";
    }
    up.take();
    ASSERT_EQ(bench.ack, i + 1);
    acks.push_back(encode(bench.frame(kAck)));
    bench.send(acks.back());
  }
  EXPECT_EQ(bench.valve, expected);
  const Status s = bench.status();
  EXPECT_GT(late, 200u);
  EXPECT_EQ(s.bad, late);
  EXPECT_EQ(s.unwanted, 0u);
}

}  // namespace
}  // namespace weft::test
