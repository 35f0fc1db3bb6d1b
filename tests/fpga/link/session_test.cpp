/// The rules of a session, one by one (docs/reference/board_link.md, Session).
#include "tests/fpga/link_bench.hpp"

namespace weft::test {
namespace {

TEST(Session, ThereIsNoneAfterPowerUp) {
  LinkBench bench;
  bench.session = 0;  // no session, and one that was never begun
  for (int i = 0; i < 2; ++i, bench.session = 77)
    for (const std::uint8_t kind : Bytes{kData, kAck, kPoll, kBye})
      bench.send(bench.frame(kind, kind == kData ? messages_record({{1, true}}) : Bytes()));
  bench.run(300);
  EXPECT_TRUE(bench.frames.empty());
  EXPECT_TRUE(bench.valve.empty());
  EXPECT_EQ(bench.dut.session_o, 0);
}

TEST(Session, BeginsWithHelloAndReceivesTheBoardsDescription) {
  LinkBench bench;
  bench.hello(42);
  bench.run(200);
  ASSERT_EQ(bench.frames.size(), 1u);
  const Frame& f = bench.frames[0];
  EXPECT_EQ(f.kind, kAbout);
  EXPECT_EQ(f.session, 42u);
  EXPECT_EQ(f.seq, 0u);
  EXPECT_EQ(f.ack, 0u);
  EXPECT_EQ(f.room, kRoom);
  ASSERT_EQ(f.payload.size(), 48u);
  for (std::size_t i = 0; i < 48; ++i) EXPECT_EQ(f.payload[i], i + 1) << "as the test's CMakeLists.txt says";
  EXPECT_EQ(bench.dut.session_o, 1);
}

TEST(Session, IsNeverZero) {
  LinkBench bench;
  bench.hello(0);
  bench.run(300);
  EXPECT_TRUE(bench.frames.empty());
}

TEST(Session, HelloResetsTheWaferAndEmptiesTheQueues) {
  LinkBench bench;
  bench.begin(1);
  bench.valve_percent = 0;
  bench.stream(messages_record(std::vector<machine::Message>(100)));
  for (std::uint32_t i = 0; i < 40; ++i) bench.outlets[0].push_back(i);
  bench.run(2000);
  bench.frames.clear();
  bench.outlets[0].clear();
  EXPECT_EQ(bench.resets, 0);
  bench.session = 2, bench.seq = 0;
  bench.hello(2, 1);
  bench.run(5);
  EXPECT_EQ(bench.resets, 4) << "cycles";
  bench.valve_percent = 100;
  ASSERT_TRUE(bench.answer(kAbout));
  const Status s = bench.status();
  EXPECT_EQ(s.messages, 0u);
  EXPECT_EQ(s.words, 0u);
  EXPECT_EQ(s.stands, 0);
  EXPECT_LT(s.cycles, 2000u);
  bench.run(2 * kTimer);
  EXPECT_TRUE(bench.frames.empty()) << "nothing of the old one is sent again";
  bench.stream(messages_record({{5, true}}));
  bench.run(100);
  EXPECT_EQ(bench.valve, (std::vector<machine::Message>{{5, true}}));
}

TEST(Session, HelloOfTheOneThatRunsIsAnsweredAndDoesNothing) {
  LinkBench bench;
  bench.begin(9);
  bench.valve_percent = 0;
  bench.stream(messages_record({{1, true}, {2, true}}));
  bench.run(200);
  bench.frames.clear();
  for (int i = 0; i < 3; ++i) {
    bench.hello(9, static_cast<std::uint32_t>(i));
    const auto about = bench.answer(kAbout);
    ASSERT_TRUE(about);
    EXPECT_EQ(about->ack, 1u);
  }
  EXPECT_EQ(bench.resets, 0);
  bench.valve_percent = 100;
  bench.run(50);
  EXPECT_EQ(bench.valve.size(), 2u);
}

TEST(Session, OtherHostIsDroppedDuringASession) {
  LinkBench bench;
  bench.begin(9);
  bench.hello(10);
  bench.hello(10, 8);
  bench.run(300);
  EXPECT_TRUE(bench.frames.empty());
  EXPECT_EQ(bench.resets, 0);
  EXPECT_EQ(bench.status().foreign, 2u);
}

TEST(Session, OtherHostIsAcceptedAfterLongSilence) {
  LinkBench bench;
  bench.begin(9);
  bench.run(kSilence / 2);
  bench.send(bench.frame(kPoll));  // resets the silence
  bench.run(kSilence - 300);
  bench.frames.clear();
  bench.hello(10);
  EXPECT_FALSE(bench.answer(kAbout)) << "too early";
  // A frame of another session does not reset this one's silence.
  bench.run(400);
  bench.hello(10);
  const auto about = bench.answer(kAbout);
  ASSERT_TRUE(about);
  EXPECT_EQ(about->session, 10u);
}

TEST(Session, FollowsTheOneThatRunsAtOnce) {
  LinkBench bench;
  bench.begin(9);
  bench.hello(10, 9);
  const auto about = bench.answer(kAbout);
  ASSERT_TRUE(about);
  EXPECT_EQ(about->session, 10u);
  EXPECT_EQ(bench.resets, 4);
  // Late copies of both frames have no effect.
  bench.session = 10;
  bench.hello(9);
  bench.hello(10, 9);
  EXPECT_TRUE(bench.answer(kAbout));
  EXPECT_EQ(bench.resets, 4);
  EXPECT_EQ(bench.status().foreign, 1u);
}

TEST(Session, EndsWithBye) {
  LinkBench bench;
  bench.begin(9);
  bench.send(bench.frame(kBye));
  bench.run(300);
  EXPECT_TRUE(bench.frames.empty()) << "it is not answered";
  EXPECT_EQ(bench.dut.session_o, 0);
  bench.send(bench.frame(kPoll));
  bench.data(messages_record({{1, true}}));
  bench.run(300);
  EXPECT_TRUE(bench.frames.empty());
  EXPECT_TRUE(bench.valve.empty());
  for (const std::uint32_t id : {9u, 10u}) {  // session that runs, and another
    bench.resets = 0;
    bench.session = id;
    bench.hello(id);
    EXPECT_TRUE(bench.answer(kAbout)) << id;
    EXPECT_EQ(bench.resets, 4) << id;
    bench.send(bench.frame(kBye));
  }
}

/// Pending requests are dropped: an emulated board stops simulating then.
TEST(Session, EndDropsPendingRequests) {
  for (const std::uint8_t kind : Bytes{kPoll, kHello, kData}) {
    LinkBench bench;
    bench.begin(9);
    bench.line_percent = 0;
    bench.send(bench.frame(kPoll));
    bench.send(bench.frame(kPoll));  // the first answer is being sent
    bench.send(bench.frame(kind, kind == kPoll ? Bytes() : kind == kHello ? Bytes(4) : Bytes{1, 0, 0}));
    bench.send(bench.frame(kBye));
    bench.line_percent = 100;
    bench.run(300);
    EXPECT_EQ(bench.dut.idle_o, 1) << "kind " << int{kind};
    EXPECT_EQ(bench.frames.size(), 1u);
  }
}

TEST(Session, DropsFramesOfAnotherAndKindsThatAreNotForABoard) {
  LinkBench bench;
  bench.begin(9);
  std::uint32_t foreign = 0;
  for (const std::uint32_t id : {0u, 8u, 0x09000000u})
    for (const std::uint8_t kind : Bytes{kData, kAck, kPoll, kBye}) {
      Frame f = bench.frame(kind, Bytes(kind == kData));
      f.session = id;
      bench.send(f);
      ++foreign;
    }
  for (const std::uint8_t kind : Bytes{kAbout, kStatus, 8, 130, 255}) {
    bench.send(bench.frame(kind));
    bench.send(bench.frame(kind, Bytes(20)));
    foreign += 2;
  }
  bench.send(bench.frame(kDebug, Bytes(20)));  // there is no chain
  ++foreign;
  bench.run(300);
  EXPECT_TRUE(bench.frames.empty());
  const Status s = bench.status();
  EXPECT_EQ(s.foreign, foreign);
  EXPECT_EQ(s.bad, 0u);
  EXPECT_EQ(s.unwanted, 0u);
}

/// Frames in flight or pending when a session begins are not mistaken for frames of the new session.
TEST(Session, CutsTheFrameThatIsOnItsWay) {
  for (int delay = 0; delay < 45; ++delay) {
    SCOPED_TRACE("delay " + std::to_string(delay));
    LinkBench bench;
    bench.begin(0x01010109);
    bench.line_percent = 0;
    for (std::uint32_t i = 0; i < 2; ++i) {
      bench.outlets[0].push_back(0x01020304);
      bench.run(700);
    }
    bench.line_percent = 100;
    bench.run(delay);
    bench.line_percent = 0;  // anywhere in the two frames, and between them
    bench.send(bench.frame(kPoll));
    bench.hello(0x0202020a, 0x01010109);
    bench.line_percent = 100;
    bench.run(300);
    ASSERT_FALSE(bench.frames.empty());
    EXPECT_EQ(bench.frames.back().kind, kAbout);
    EXPECT_EQ(bench.frames.back().session, 0x0202020au);
    bench.frames.pop_back();
    for (const Frame& f : bench.frames) {
      EXPECT_EQ(f.kind, kData);
      EXPECT_EQ(f.session, 0x01010109u);
      EXPECT_EQ(f.payload, (Bytes{0, 4, 3, 2, 1}));
    }
    EXPECT_LE(bench.cut.size(), 1u);
  }
}

TEST(Status, SaysHowTheBoardStands) {
  LinkBench bench;
  bench.begin();
  bench.dut.flags_i = 0x665544332211;
  bench.dut.awake_i = 1;
  EXPECT_EQ(bench.status().stands, 1);
  bench.dut.awake_i = 0;
  EXPECT_EQ(bench.status().stands, 0);
  bench.valve_percent = 0;
  bench.stream(messages_record({{1, true}, {2, false}}));
  bench.run(300);
  bench.frames.clear();
  EXPECT_EQ(bench.status().stands, 2 | 4) << "one at the valve, and in the middle of a record";
  bench.valve_percent = 100;
  EXPECT_EQ(bench.status().stands, 0);
  bench.stream({1, 2});
  bench.run(300);
  bench.frames.clear();
  EXPECT_EQ(bench.status().stands, 4);
  bench.stream({0});
  bench.stream(Bytes(10));
  bench.stream({99});
  bench.run(300);
  bench.frames.clear();
  EXPECT_EQ(bench.status().stands, 8);
  bench.outlets[1].push_back(3);
  bench.run(600);
  bench.frames.clear();
  const Status s = bench.status();
  EXPECT_EQ(s.stands, 8 | 16) << "not confirmed yet";
  EXPECT_EQ(s.messages, 4u);
  EXPECT_EQ(s.words, 1u);
  EXPECT_EQ(s.rows, kRows);
  EXPECT_EQ(s.flags, (Bytes{0x11, 0x22, 0x33, 0x44, 0x55, 0x66}));
  bench.ack = 1;
  bench.send(bench.frame(kAck));
  EXPECT_EQ(bench.status().stands, 8);
}

/// From an outlet's word to its confirmation there is no moment at which nothing seems to be in flight.
TEST(Status, SaysOfAWordThatItIsOnItsWay) {
  for (int delay = 4; delay < 700; delay += 13) {
    LinkBench bench;
    bench.begin();
    bench.outlets[0].push_back(1);
    bench.run(delay);
    EXPECT_EQ(bench.status().stands, 16) << "after " << delay;
  }
}

/// Between two records there is none either.
TEST(Status, SaysThatRecordsAreStillToBeExpanded) {
  Bytes records;
  for (int i = 0; i < 170; ++i) records.insert(records.end(), {1, 0, 0});
  for (int delay = 0; delay < 12; ++delay) {
    LinkBench bench;
    bench.begin();
    bench.data(records);
    bench.run(delay);
    EXPECT_EQ(bench.status().stands, 4) << delay;
    bench.run(700);
    EXPECT_EQ(bench.status().stands, 0) << delay;
  }
}

TEST(Status, CountsCycles) {
  LinkBench bench;
  bench.begin();
  const std::uint64_t a = bench.status().cycles;
  const std::uint64_t before = bench.cycles;
  const std::uint64_t b = bench.status().cycles;
  EXPECT_EQ(b - a, bench.cycles - before);
}

}  // namespace
}  // namespace weft::test
