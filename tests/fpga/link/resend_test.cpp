/// Both streams arrive whole and in order, whatever happens to frames.
#include <algorithm>

#include "tests/fpga/up_stream.hpp"

namespace weft::test {
namespace {

TEST(Resend, UnconfirmedDataIsResentAgainAndAgain) {
  LinkBench bench;
  bench.begin();
  Up up(bench);
  one_word(bench, 1);
  up.take([](const Frame&) { return true; });
  for (int i = 0; i < 3; ++i) {
    const std::uint64_t begin = bench.cycles;
    while (bench.frames.empty() && bench.cycles < begin + 2 * kTimer) bench.cycle();
    if (i > 0) {
      EXPECT_NEAR(static_cast<double>(bench.cycles - begin), kTimer, 100);
    }
    ASSERT_EQ(bench.frames.size(), 1u);
    EXPECT_EQ(bench.frames[0].seq, 0u);
    EXPECT_EQ(bench.frames[0].payload, (Bytes{0, 1, 0, 0, 0}));
    bench.frames.clear();
  }
  EXPECT_EQ(bench.status().again, 3u);
  bench.ack = 1;
  bench.send(bench.frame(kAck));
  bench.run(4 * kTimer);
  EXPECT_TRUE(bench.frames.empty());
}

/// A host that misses a DATA asks for STATUS, more often than the timer expires.
TEST(Resend, PollsDoNotPutItOff) {
  LinkBench bench;
  bench.begin();
  one_word(bench, 1);
  bench.frames.clear();
  int again = 0;
  for (int i = 0; i < 16; ++i) {
    bench.send(bench.frame(kPoll));
    bench.run(kTimer / 4);
    again += static_cast<int>(std::ranges::count(bench.frames, kData, &Frame::kind));
    bench.frames.clear();
  }
  EXPECT_GE(again, 2);
  EXPECT_LE(again, 5);
}

/// The board sends nothing to a host that has died; a host that was only stopped still gets the DATA it misses.
TEST(Resend, ToASilentHostNothingUntilItIsHeardOf) {
  LinkBench bench;
  bench.begin();
  one_word(bench, 1);
  bench.run(kSilence + kTimer);
  EXPECT_GT(std::ranges::count(bench.frames, kData, &Frame::kind), 10) << "until then";
  EXPECT_EQ(bench.dut.silent_o, 1);
  EXPECT_EQ(bench.dut.idle_o, 1);
  bench.frames.clear();
  for (int i = 0; i < 3; ++i) {
    bench.run(3 * kTimer);
    EXPECT_TRUE(bench.frames.empty());
    Frame foreign = bench.frame(kPoll);
    foreign.session = 3;
    bench.send(foreign);
  }
  bench.send(bench.frame(kPoll));
  EXPECT_EQ(bench.dut.silent_o, 0);
  bench.run(300);
  ASSERT_EQ(bench.frames.size(), 2u);
  EXPECT_EQ(bench.frames[0].kind, kStatus);
  EXPECT_EQ(bench.frames[1].kind, kData);
  EXPECT_EQ(bench.frames[1].payload, (Bytes{0, 1, 0, 0, 0}));
}

TEST(Resend, KeepsAtMostEightAndLosesNoWordMeanwhile) {
  LinkBench bench;
  bench.begin();
  Up up(bench);
  for (std::uint32_t i = 0; i < 3000; ++i) bench.outlets[i % 2].push_back(i);
  bench.run(12000);
  std::vector<int> numbers;
  for (const Frame& f : bench.frames) {
    EXPECT_EQ(f.payload.size(), 512u);
    numbers.push_back(static_cast<int>(f.seq));
  }
  EXPECT_LE(*std::max_element(numbers.begin(), numbers.end()), 7);
  EXPECT_FALSE(bench.outlets[0].empty());
  EXPECT_EQ(bench.status().stands, 16);
  for (int i = 0; i < 100 && up.stream.size() < 3000 * 4 + 3000 / 16; ++i) {
    bench.send(bench.frame(kAck));
    bench.run(600);
    up.take();
  }
  for (int row = 0; row < 2; ++row) {
    const Bytes words = words_of(up.stream, row);
    ASSERT_EQ(words.size(), 1500u * 4);
    for (std::uint32_t i = 0; i < 1500; ++i) ASSERT_EQ(get(words, i * 4, 4), 2 * i + static_cast<unsigned>(row));
  }
}

TEST(Resend, DataTwiceOrOutOfOrderIsDroppedAndAnswered) {
  LinkBench bench;
  bench.begin();
  const auto data = [&](std::uint32_t seq, std::uint32_t word) {
    Frame f = bench.frame(kData, messages_record({{word, true}}));
    f.seq = seq;
    bench.send(f);
    const auto ack = bench.answer(kAck);
    return ack ? static_cast<int>(ack->ack) : -1;
  };
  EXPECT_EQ(data(0, 10), 1);
  EXPECT_EQ(data(0, 10), 1);
  EXPECT_EQ(data(2, 12), 1);
  EXPECT_EQ(data(~0u, 9), 1);
  EXPECT_EQ(data(1, 11), 2);
  EXPECT_EQ(data(1, 11), 2);
  EXPECT_EQ(data(2, 12), 3);
  EXPECT_EQ(bench.status().unwanted, 4u);
  EXPECT_EQ(bench.valve, (std::vector<machine::Message>{{10, true}, {11, true}, {12, true}}));
}

/// The line loses, duplicates and swaps frames of every kind in both directions, through more than 256 numbers.
TEST(Resend, StreamsSurviveABadLine) {
  const std::uint64_t seed = test_seed();
  for (std::uint64_t trial = 0; trial < 4; ++trial) {
    SCOPED_TRACE("trial " + std::to_string(trial));
    LinkBench bench;
    Rng rng(seed + trial);
    bench.begin();
    bench.valve_percent = 50, bench.line_percent = 80;
    Up up(bench);
    constexpr std::uint32_t kPieces = 600;
    std::vector<machine::Message> expected;
    std::vector<Bytes> sent;  // payloads, by number
    std::uint32_t base = 0, next = 0, words = 0;
    std::optional<Frame> late;
    const auto deliver = [&](const Frame& f) {
      if (rng.chance(15)) return;
      if (!late && rng.chance(10)) {
        late = f;
        return;
      }
      bench.send(f);
      if (rng.chance(10)) bench.send(f);
      if (late) bench.send(*std::exchange(late, {}));
    };
    for (int round = 0; round < 40000 && (base < kPieces || words < 3000 || up.stream.size() < 3000 * 4 + 188);
         ++round) {
      if (next < kPieces && next - base < 8 && rng.chance(60)) {
        if (next == sent.size()) {
          std::vector<machine::Message> some(1 + rng.below(3));
          for (machine::Message& m : some) m = {static_cast<std::uint32_t>(rng.next()), rng.chance(50)};
          expected.insert(expected.end(), some.begin(), some.end());
          sent.push_back(messages_record(some));
        }
        Frame f = bench.frame(kData, sent[next]);
        f.seq = next++;
        bench.seq = next;
        deliver(f);
      } else if (rng.chance(5)) {
        next = base;  // the host's timer
      }
      for (; words < 3000 && rng.chance(70); ++words) bench.outlets[rng.below(2)].push_back(words);
      bench.run(static_cast<int>(rng.below(60)));
      for (const Frame& f : bench.frames) {
        const std::uint32_t n = f.ack - base;
        if (n <= next - base && rng.chance(80)) base += n;
      }
      up.answer = false;
      up.take([&](const Frame&) { return rng.chance(15); });
      if (up.answer) deliver(bench.frame(kAck));
      if (rng.chance(2)) deliver(bench.frame(kPoll));
    }
    bench.run(2000);
    bench.frames.clear();
    EXPECT_EQ(bench.valve, expected);
    std::vector<std::uint32_t> all;
    for (int row = 0; row < 2; ++row) {
      const Bytes some = words_of(up.stream, row);
      for (std::size_t i = 0; i < some.size(); i += 4) {
        all.push_back(static_cast<std::uint32_t>(get(some, i, 4)));
        if (i > 0) {
          EXPECT_LT(get(some, i - 4, 4), get(some, i, 4)) << "row " << row;
        }
      }
    }
    EXPECT_EQ(all.size(), 3000u);
    EXPECT_TRUE(bench.cut.empty()) << "a frame of the board is not what it should be";
    const Status s = bench.status();
    EXPECT_GT(s.again, 0u);
    EXPECT_GT(s.unwanted, 0u);
    EXPECT_EQ(s.bad, 0u);
  }
}

}  // namespace
}  // namespace weft::test
