/// docs/reference/ethernet.md, "When the line is lost": misbehaviour of a PHY's clock has no lasting effect.
#include <cstring>

#include "Vweft_ethernet_registers.hpp"
#include "tests/fpga/ethernet_frames.hpp"

namespace weft::test {
namespace {

/// tests/fpga/CMakeLists.txt: SettleBits.
constexpr int kSettle = 16;

Bytes numbered(std::uint32_t n, std::size_t bytes) {
  Frame f{.session = n, .kind = kData};
  for (std::size_t i = 0; i < bytes; ++i) f.payload.push_back(static_cast<std::uint8_t>(i * 13 + n));
  return encode(f);
}

struct LineBench : EthernetBench {
  /// An edge of the PHY's clock that is so short that only some registers see it.
  void runt() {
    std::vector<unsigned char> before;
    visit_registers(*dut.rootp, [&](const char*, const auto& value) {
      const auto* first = reinterpret_cast<const unsigned char*>(&value);
      before.insert(before.end(), first, first + sizeof value);
    });
    step_line();
    std::size_t at = 0;
    visit_registers(*dut.rootp, [&](const char*, const auto& value) {
      // Writing to the model is allowed: this bench owns it.
      auto* bytes = reinterpret_cast<unsigned char*>(const_cast<std::remove_cvref_t<decltype(value)>*>(&value));
      for (std::size_t i = 0; i < sizeof value; ++i, ++at)
        bytes[i] = static_cast<unsigned char>(bytes[i] ^ ((bytes[i] ^ before[at]) & rng.below(256)));
    });
  }
  /// The rest of a frame in flight is lost, and the line resumes in the middle of another.
  void other_end() {
    line.clear();
    for (std::uint32_t n = rng.below(60); n > 0; --n) line.push_back(static_cast<int>(rng.below(256)));
  }
  /// Pulls the cable, and waits until the board detects that.
  void pull() {
    dut.linked_i = 0;
    for (int n = 0; dut.up_o; ++n) {
      ASSERT_LT(n, 40);
      cycle();
    }
  }
  void plug() {
    dut.linked_i = 1;
    come_up();
  }
  /// The board's UDP packet to the session's host.
  static Bytes packed(const Bytes& payload) { return emulator::pack({kBoard, kHost, payload}); }
};

TEST(EthernetLine, IsRightAgainHoweverTheClockWasUpset) {
  const std::uint64_t seed = test_seed();
  LineBench b;
  b.rng = Rng(seed);
  b.begin();
  int garbage = 0;
  for (std::uint32_t round = 0; round < 150; ++round) {
    SCOPED_TRACE(round);
    std::vector<Bytes> down, up;
    for (std::uint32_t i = 0; i < 6; ++i) {
      down.push_back(numbered(round * 8 + i, 1 + b.rng.below(500)));
      up.push_back(numbered(~(round * 8 + i), 1 + b.rng.below(500)));
    }
    for (const Bytes& f : down) b.send(kHost, f);
    for (const Bytes& f : up) b.answer(f);
    b.run(static_cast<int>(b.rng.below(3000)));

    b.upset = true;
    if (b.rng.chance(30)) b.dut.linked_i = 0;
    for (std::uint32_t n = 1 + b.rng.below(20); n > 0; --n) {
      b.line_runs = false;
      b.run(static_cast<int>(b.rng.below(20)));
      b.runt();
      b.line_runs = b.rng.chance(50);
      b.run(static_cast<int>(b.rng.below(20)));
      if (b.rng.chance(10)) b.other_end();
    }
    b.line_runs = false;
    if (b.rng.chance(50)) b.run(300);  // or the PHY has a clock, and reports no link
    b.line_runs = true;
    b.dut.linked_i = 0;
    b.run(20);
    b.other_end();
    b.plug();
    b.settle();
    b.now.clear();
    b.upset = false;
    for (const Bytes& f : b.got) {
      if (!decode(f))
        ++garbage;
      else
        EXPECT_EQ(std::ranges::count(down, f), 1) << "what the checksum lets pass was sent";
    }
    b.got.clear(), b.sent.clear();

    std::vector<Bytes> packets;
    for (const Bytes& f : down) b.send(kHost, f);
    for (const Bytes& f : up) b.answer(f), packets.push_back(LineBench::packed(f));
    b.settle();
    ASSERT_EQ(b.got, down);
    ASSERT_EQ(b.sent, packets);
    b.got.clear(), b.sent.clear();
  }
  EXPECT_GT(garbage, 0) << "or the clock was not upset";
}

/// Without a disturbed clock: the cable is pulled, at any time.
TEST(EthernetLine, CarriesWholeFramesOrNone) {
  const std::uint64_t seed = test_seed();
  for (const double board : {0.32, 0.9}) {
    LineBench b;
    b.rng = Rng(seed);
    b.board_clock = board;
    b.begin();
    int damaged = 0;
    for (std::uint32_t round = 0; round < 150; ++round) {
      SCOPED_TRACE(round);
      b.ready_percent = b.rng.chance(50) ? 100 : 30;
      std::vector<Bytes> down, up;
      for (std::uint32_t i = 0; i < 4; ++i) {
        down.push_back(numbered(round * 8 + i, 1 + b.rng.below(300)));
        up.push_back(numbered(~(round * 8 + i), 1 + b.rng.below(300)));
        b.send(kHost, down.back());
        b.answer(up.back());
      }
      b.run(static_cast<int>(b.rng.below(4000)));
      b.upset = true;  // frames being sent are cut
      b.pull();
      b.line_runs = b.rng.chance(50);
      b.run(static_cast<int>(b.rng.below(600)));
      b.line_runs = true;
      b.other_end();
      b.run(30);
      b.now.clear();
      b.upset = false;
      b.plug();
      b.ready_percent = 100;
      b.settle();
      for (const Bytes& f : b.got)
        if (std::ranges::count(down, f) != 1) ++damaged;
      EXPECT_EQ(damaged, b.damaged) << "a frame is whole, or the link learns that it is not";
      for (const Bytes& f : b.sent)
        EXPECT_EQ(std::ranges::count_if(up, [&](const Bytes& u) { return f == b.packed(u); }), 1);
      b.got.clear(), b.sent.clear();
    }
    EXPECT_GT(damaged, 10) << "or no frame was cut";
  }
}

TEST(EthernetLine, EndsAFrameThatWasBeingRead) {
  LineBench b;
  b.begin();
  b.send(kHost, data(400));
  while (b.frame.size() < 100) b.cycle();
  b.pull();
  b.run(100);
  ASSERT_EQ(b.got.size(), 1u);
  EXPECT_EQ(b.damaged, 1);
  b.plug();
  b.send(kHost, data(20));
  b.settle();
  EXPECT_EQ(b.got.back(), data(20)) << "the next one begins anew";
  EXPECT_EQ(b.damaged, 1);
}

/// A link that takes nothing keeps the end of a cut packet waiting, for longer than the line is lost.
TEST(EthernetLine, AnUntakenEndOutlastsTheLoss) {
  LineBench b;
  b.begin();
  b.send(sealed(ping(kHost, 300)));
  b.answer(data(500));
  b.run(600);
  for (int lost = 0; lost < 20; ++lost) {
    b.send(kHost, data(400));
    b.ready_percent = 100;
    while (b.frame.size() < 100) b.cycle();
    b.ready_percent = 0;
    b.upset = true;
    b.pull();
    b.run(lost);
    b.now.clear();
    b.upset = false;
    b.dut.linked_i = 1;
    b.run(500);
    b.ready_percent = 100;
    b.come_up();
    b.settle();
    b.got.clear();
    b.send(kHost, data(20));
    b.settle();
    ASSERT_EQ(b.got, std::vector<Bytes>{data(20)}) << lost;
    b.got.clear();
  }
}

TEST(EthernetLine, DropsWhatIsSentMeanwhile) {
  LineBench b;
  b.begin();
  b.pull();
  for (int i = 0; i < 20; ++i) b.answer(data(300));
  for (int n = 0; !b.up.empty(); ++n) {
    ASSERT_LT(n, 60000) << "the link waits for a line";
    b.cycle();
  }
  b.plug();
  b.settle();
  EXPECT_TRUE(b.sent.empty());
  b.answer(data(300));
  b.settle();
  EXPECT_EQ(b.sent, std::vector<Bytes>{b.packed(data(300))});
}

/// The line may return during any part of a frame.
TEST(EthernetLine, SendsNoFrameInPart) {
  int whole = 0;
  const std::vector<Bytes> frames{data(40), data(60), data(25)};
  for (int early = 0; early < 800; early += 3) {
    LineBench b;
    b.begin();
    b.pull();
    for (const Bytes& f : frames) b.answer(f);
    b.run(early);
    b.plug();
    b.settle();
    for (const Bytes& f : b.sent)
      EXPECT_EQ(std::ranges::count_if(frames, [&](const Bytes& u) { return f == b.packed(u); }), 1) << early;
    whole += static_cast<int>(b.sent.size());
  }
  EXPECT_GT(whole, 20);
}

TEST(EthernetLine, DetectsAStoppedClock) {
  LineBench b;
  b.line_runs = false;
  int cycles = 0;
  for (; b.dut.up_o; ++cycles) {
    ASSERT_LT(cycles, 100);
    b.step_board();
  }
  EXPECT_GT(cycles, 40);
  for (int n = 0; n < 200; ++n) b.step_board();
  EXPECT_FALSE(b.dut.up_o);
  b.line_runs = true;
  b.come_up();
}

TEST(EthernetLine, LinksUpWhenItHasStayedWell) {
  LineBench b;
  for (const bool clock : {false, true})
    for (int n = 0; n < 50; ++n) {
      b.line_runs = !clock;
      b.dut.linked_i = clock;
      for (int i = 0; i < (clock ? 80 : 5); ++i) b.cycle(), b.step_board();
      ASSERT_FALSE(b.dut.up_o) << n;
      b.line_runs = true;
      b.dut.linked_i = 1;
      for (int i = 0; i < kSettle; ++i) {
        b.step_line(), b.step_line(), b.step_line();
        b.step_board();
        ASSERT_FALSE(b.dut.up_o) << n;
      }
    }
  b.come_up();
}

}  // namespace
}  // namespace weft::test
