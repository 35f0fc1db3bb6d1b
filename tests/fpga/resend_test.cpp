/// Both streams arrive whole and in order, whatever becomes of frames.
#include <algorithm>

#include "tests/fpga/link_bench.hpp"

namespace weft::test {
namespace {

/// A host's half of the up stream: what DATA it has taken, in order.
struct Up {
  explicit Up(LinkBench& b) : bench(b) {}
  /// Takes the frames that came; `lost` says of each whether it never did.
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

Bytes words_of(const Bytes& stream, int row) {
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

/// A word comes up as one DATA.
void one_word(LinkBench& bench, std::uint32_t word) {
  bench.outlets[0].push_back(word);
  bench.run(700);
}

TEST(Resend, DataThatIsNotConfirmedComesAgainAndAgain) {
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

/// A host that misses a DATA asks how the board stands, and more often than the timer runs out.
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

/// A host that has died is left alone; one that was only stopped still gets what it misses.
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
    Frame stranger = bench.frame(kPoll);
    stranger.session = 3;
    bench.send(stranger);
  }
  bench.send(bench.frame(kPoll));
  EXPECT_EQ(bench.dut.silent_o, 0);
  bench.run(300);
  ASSERT_EQ(bench.frames.size(), 2u);
  EXPECT_EQ(bench.frames[0].kind, kStatus);
  EXPECT_EQ(bench.frames[1].kind, kData);
  EXPECT_EQ(bench.frames[1].payload, (Bytes{0, 1, 0, 0, 0}));
}

TEST(Resend, AnAckInDataConfirmsToo) {
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

TEST(Resend, DataTellsWhatAnAckWould) {
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

TEST(Resend, AnAckConfirmsAllBeforeIt) {
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

TEST(Resend, AnAckOfWhatWasNeverSentIsIgnored) {
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

/// What waits behind a line that stands still was never sent either.
TEST(Resend, AnAckOfWhatWaitsToBeSentIsIgnored) {
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

/// All is being sent again when a late ack confirms more than was sent by then.
TEST(Resend, AnAckMayOvertakeWhatIsSentAgain) {
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
  EXPECT_EQ(bench.valve, (std::vector<Message>{{10, true}, {11, true}, {12, true}}));
}

/// The line loses, doubles and swaps frames of every kind in both directions, through more than 256 numbers.
TEST(Resend, StreamsSurviveABadLine) {
  const std::uint64_t seed = test_seed();
  for (std::uint64_t trial = 0; trial < 4; ++trial) {
    SCOPED_TRACE("trial " + std::to_string(trial));
    LinkBench bench;
    Dice dice(seed + trial);
    bench.begin();
    bench.valve_percent = 50, bench.line_percent = 80;
    Up up(bench);
    constexpr std::uint32_t kPieces = 600;
    std::vector<Message> expected;
    std::vector<Bytes> sent;  // payloads, by number
    std::uint32_t base = 0, next = 0, words = 0;
    std::optional<Frame> late;
    const auto deliver = [&](const Frame& f) {
      if (dice.chance(15)) return;
      if (!late && dice.chance(10)) {
        late = f;
        return;
      }
      bench.send(f);
      if (dice.chance(10)) bench.send(f);
      if (late) bench.send(*std::exchange(late, {}));
    };
    for (int round = 0; round < 40000 && (base < kPieces || words < 3000 || up.stream.size() < 3000 * 4 + 188);
         ++round) {
      if (next < kPieces && next - base < 8 && dice.chance(60)) {
        if (next == sent.size()) {
          std::vector<Message> some(1 + dice.below(3));
          for (Message& m : some) m = {static_cast<std::uint32_t>(dice.next()), dice.chance(50)};
          expected.insert(expected.end(), some.begin(), some.end());
          sent.push_back(messages_record(some));
        }
        Frame f = bench.frame(kData, sent[next]);
        f.seq = next++;
        bench.seq = next;
        deliver(f);
      } else if (dice.chance(5)) {
        next = base;  // our timer
      }
      for (; words < 3000 && dice.chance(70); ++words) bench.outlets[dice.below(2)].push_back(words);
      bench.run(static_cast<int>(dice.below(60)));
      for (const Frame& f : bench.frames) {
        const std::uint32_t n = f.ack - base;
        if (n <= next - base && dice.chance(80)) base += n;
      }
      up.answer = false;
      up.take([&](const Frame&) { return dice.chance(15); });
      if (up.answer) deliver(bench.frame(kAck));
      if (dice.chance(2)) deliver(bench.frame(kPoll));
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

TEST(Resend, NumbersGoOnBeyond256) {
  LinkBench bench;
  bench.begin();
  Up up(bench);
  std::vector<Message> expected;
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

TEST(Resend, NumbersGoOnBeyond65536) {
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
  EXPECT_EQ(bench.valve, (std::vector<Message>{{5, true}}));
  EXPECT_EQ(bench.status().bad, 0u);
}

/// A network may keep a packet, while a copy of it goes its way, and bring it when the same lower bits are due again.
TEST(Resend, AnOldCopyIsNotTakenForWhatIsDue) {
  LinkBench bench;
  bench.begin();
  Up up(bench);
  std::vector<Bytes> data, acks;  // as they were on the line
  std::vector<Message> expected;
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

TEST(Resend, AnAckIsForTwoDataOrForOneThatNoOtherFollows) {
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

TEST(Resend, WhatIsNotTakenIsAnsweredAtOnce) {
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
