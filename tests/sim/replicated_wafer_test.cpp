#include "verif/sim/replicated_wafer.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "sw/asm/assembler.hpp"
#include "sw/compiler/program/load.hpp"

namespace weft::sim {
namespace {

/// Sets the compiler's routes, loads a program, calls address 0.
std::vector<machine::Message> start(const machine::WaferShape& shape, std::string_view source) {
  std::vector<machine::Message> stream = compiler::route_messages(shape);
  const auto command = [&](machine::Command code, int arg, std::uint32_t value) {
    stream.push_back(
        machine::Message::command(code, static_cast<std::uint8_t>(arg), static_cast<std::uint16_t>(value)));
  };
  command(machine::Command::Iaddr, 0, 0);
  for (const std::uint32_t word : assembler::assemble(source, "test.s").words) {
    command(machine::Command::Ilo, 0, word & 0xffff);
    command(machine::Command::Ihi, 0, word >> 16);
  }
  command(machine::Command::Call, 0, 0);
  return stream;
}

/// Every row returns the sum over its columns of 100 + the row.
constexpr std::string_view kSum = R"(
        fork west
        join
        halt
west:   csrr r1, ROW
        addi r1, r1, 100
        rcv  r2, WEST
        add  r1, r1, r2
        snd  WEST, r1
        halt
)";

std::string hang_text(Wafer& wafer, std::span<const std::uint64_t> totals) {
  try {
    wafer.await(totals);
    return "it did not hang";
  } catch (const WaferHang& e) {
    return e.what();
  }
}

/// The last view of a tile.
struct LastView : TileWatch {
  TileView view;

  void observe(std::uint64_t, std::size_t, const TileView& v) override { view = v; }
};

TEST(ReplicatedWafer, ShowsTheStateOfItsTiles) {
  const machine::WaferShape shape{.rows = 2, .cols = 2};
  ReplicatedWafer wafer(shape);
  LastView last;
  const TilePlace places[] = {{1, 1}};
  wafer.watch(&last, places);
  wafer.feed(start(shape, R"(
        li   r1, 259
        csrw VL, r1
        li   r2, 7
        csrw STB, r2
        mvp  r3, r2
        vcr  R[r1], R[r0]
        halt
)"));
  const machine::Message unprocessed = machine::Message::command(machine::Command::CR, 0, 0);  // at rest: BAD_COMMAND
  wafer.feed({&unprocessed, 1});
  wafer.settle();
  const machine::TileState s = wafer.state(1, 1);
  EXPECT_FALSE(s.main.runs || s.psum.runs);
  EXPECT_EQ(s.main.registers[1], 259);
  EXPECT_EQ(s.main.control[0], 259);
  EXPECT_EQ(s.main.control[3], 7);
  EXPECT_EQ(s.psum.registers[3], 7);
  EXPECT_EQ(s.psum.control[0], 0);
  EXPECT_EQ(s.mp, (machine::HandoffState{.entries = {1 << 5}, .put_buffer = 1, .taken_buffer = 0, .filled = false}));
  EXPECT_EQ(last.view.mp, s.mp.entries.size());
  EXPECT_EQ(last.view.pm, s.pm.entries.size());
  EXPECT_EQ(s.instruction_address, 7);
  EXPECT_EQ(s.routes[3][0], 1 << 4);  // W, from the west, in the last column
  EXPECT_EQ(wafer.state(1, 0).routes[3][0], 1 << 4 | 1 << 1);
  EXPECT_EQ(s.flags, 1 << static_cast<int>(isa::Flag::BadCommand));
  EXPECT_EQ(s.beats, 6u);
  EXPECT_EQ(s.memory.size(), 48u * 512);
}

TEST(ReplicatedWafer, OffersMessagesOnlyWhenTheHostDoes) {
  const machine::WaferShape shape{.rows = 2, .cols = 1, .valves = 2};
  ReplicatedWafer wafer(shape);
  std::vector<EdgeEvent> events;
  wafer.record(&events);
  wafer.hesitate([](int valve, std::uint64_t cycle) { return cycle % 3 == static_cast<unsigned>(valve); });
  wafer.feed(start(shape, kSum));
  wafer.settle();
  ASSERT_GT(events.size(), 50u);
  for (const EdgeEvent& e : events)
    if (e.kind == EdgeEvent::Kind::In) {
      EXPECT_EQ(e.cycle % 3, static_cast<unsigned>(e.place));
    }
  EXPECT_EQ(wafer.outlet(1), std::vector<std::uint32_t>{101});
}

TEST(ReplicatedWafer, RunsAProgramOnEveryTile) {
  ReplicatedWafer wafer({.rows = 3, .cols = 5});
  wafer.feed(start(wafer.shape(), kSum));
  wafer.await(std::vector<std::uint64_t>{1, 1, 1});
  for (int row = 0; row < 3; ++row) EXPECT_EQ(wafer.outlet(row), std::vector<std::uint32_t>{5u * (100 + row)});
  wafer.settle();
  const std::uint64_t cycles = wafer.counters().cycles;
  wafer.settle();
  EXPECT_EQ(wafer.counters().cycles, cycles) << "time stands still when nothing moves";
  EXPECT_EQ(wafer.flags(), "");
}

TEST(ReplicatedWafer, TimePassesOnlyWhileTheIntakeHasMessages) {
  ReplicatedWafer wafer({.rows = 1, .cols = 1});
  wafer.feed(start(wafer.shape(), "loop: jmp loop"));
  const std::uint64_t cycles = wafer.counters().cycles;
  wafer.feed({});
  EXPECT_EQ(wafer.counters().cycles, cycles);
}

TEST(ReplicatedWafer, SaysWhoWaitsForWhom) {
  ReplicatedWafer wafer({.rows = 2, .cols = 1});
  wafer.feed(start(wafer.shape(), "fork p\n join\n halt\n p: rcv r1, RING\n halt"));
  const std::string text = hang_text(wafer, std::vector<std::uint64_t>{0, 1});
  EXPECT_NE(text.find("row 1's outlet has delivered 0 of 1 messages"), std::string::npos) << text;
  EXPECT_NE(text.find("row 0 column 0: main pc 1"), std::string::npos) << text;
  EXPECT_NE(text.find("psum pc 3 (waits for RING?)"), std::string::npos) << text;
}

/// Row 0 sends words that row 1 does not take. However many of them find room, the wafer has not settled.
TEST(ReplicatedWafer, SettlesOnlyWhenAllProgramsHaveEnded) {
  for (int words = 1; words <= 20; ++words) {
    SCOPED_TRACE(words);
    ReplicatedWafer wafer({.rows = 2, .cols = 1});
    wafer.feed(start(wafer.shape(), R"(
        fork p
        join
        halt
p:      csrr r1, ROW
        bne  r1, r0, end
        li   r2, )" + std::to_string(words) +
                                        R"(
more:   snd  RING, r2
        dbnz r2, more
        rcv  r3, RING
end:    halt
)"));
    try {
      wafer.settle();
      ADD_FAILURE() << "settled";
    } catch (const WaferHang& e) {
      const std::string text = e.what();
      EXPECT_NE(text.find("a program waits for words that do not arrive"), std::string::npos) << text;
      EXPECT_NE(text.find("row 0 column 0: main pc 1"), std::string::npos) << text;
      EXPECT_EQ(text.find("row 1"), std::string::npos) << text;
    }
  }
}

TEST(ReplicatedWafer, NoticesALoopWithoutAnEnd) {
  ReplicatedWafer wafer({.rows = 1, .cols = 1});
  wafer.feed(start(wafer.shape(), "loop: jmp loop"));
  const std::string text = hang_text(wafer, std::vector<std::uint64_t>{1});
  EXPECT_NE(text.find("no message and no beat for"), std::string::npos) << text;
  EXPECT_NE(text.find("row 0 column 0: runs: main pc 0; psum rests"), std::string::npos) << text;
}

TEST(ReplicatedWafer, NoticesALoopThatComputesForEver) {
  ReplicatedWafer wafer({.rows = 1, .cols = 1});
  wafer.feed(
      start(wafer.shape(), "li r1, 1\n csrw VL, r1\n csrw REP, r1\nloop: vf.fma R[r0], M[r0], S[r1], Z\n jmp loop"));
  const std::string text = hang_text(wafer, std::vector<std::uint64_t>{1});
  EXPECT_NE(text.find("no message for 2097152 cycles, only beats"), std::string::npos) << text;
  EXPECT_NE(text.find("row 0 column 0: runs: main pc "), std::string::npos) << text;
}

/// More than 16384 cycles of beats without a message: the first run's count does not carry over to the second.
TEST(ReplicatedWafer, ALongProgramRunsAgainAfterAReset) {
  ReplicatedWafer wafer({.rows = 1, .cols = 1});
  std::uint64_t cycles = 0;
  for (int again = 0; again < 2; ++again) {
    wafer.feed(start(wafer.shape(),
                     "li r1, 100\n csrw VL, r1\n li r1, 200\n csrw REP, r1\n"
                     "vf.fma R[r0], M[r0], S[r1], Z\n halt"));
    ASSERT_NO_THROW(wafer.settle());
    EXPECT_GT(wafer.counters().cycles, 20000u);
    if (again == 0) cycles = wafer.counters().cycles;
    EXPECT_EQ(wafer.counters().cycles, cycles);
    wafer.reset();
  }
}

TEST(ReplicatedWafer, NamesThePlaceOfAFlag) {
  ReplicatedWafer wafer({.rows = 3, .cols = 2});
  const machine::Message m[] = {machine::Message::weight(3 << 14, 1),
                                machine::Message::command(static_cast<machine::Command>(77), 0, 0)};
  wafer.feed(m);
  wafer.settle();
  EXPECT_EQ(
      wafer.flags(),
      "row 0 column 0: BAD_COMMAND; row 0 column 1: BAD_COMMAND; row 1 column 0: BAD_COMMAND; "
      "row 1 column 1: BAD_COMMAND; row 2 edge: NO_ROW; row 2 column 0: BAD_COMMAND; row 2 column 1: BAD_COMMAND");
}

TEST(ReplicatedWafer, NamesThePlaceOfARouteThatIsNotThere) {
  const auto flags = [](unsigned value) {
    ReplicatedWafer wafer({.rows = 3, .cols = 2});
    const machine::Message m = machine::Message::command(machine::Command::Route, 0, static_cast<std::uint16_t>(value));
    wafer.feed({&m, 1});
    wafer.settle();
    return wafer.flags();
  };
  const unsigned ring = 1 << 11 | 4 << 8;  // from the ramp
  EXPECT_EQ(flags(ring | 1 << 0), "row 0 column 0: BAD_ROUTE; row 0 column 1: BAD_ROUTE");
  EXPECT_EQ(flags(ring | 1 << 1), "row 0 column 1: BAD_ROUTE; row 1 column 1: BAD_ROUTE; row 2 column 1: BAD_ROUTE");
  EXPECT_EQ(flags(ring | 1 << 2), "row 2 column 0: BAD_ROUTE; row 2 column 1: BAD_ROUTE");
  EXPECT_EQ(flags(ring | 1 << 3), "") << "in the west is the wafer's edge";
  EXPECT_EQ(flags(ring | 1 << 3 | 1 << 4), "");
}

TEST(ReplicatedWafer, AProgramReadsTheFlagOfItsRouter) {
  ReplicatedWafer wafer({.rows = 2, .cols = 1});
  wafer.feed(start(wafer.shape(), R"(
        fork p
        join
        halt
p:      csrr r1, ROW
        bne  r1, r0, say
        snd  NORTH, r1        ; row 0 has no route
        li   r2, 50
wait:   dbnz r2, wait
say:    csrr r1, FLAGS
        snd  WEST, r1
        halt
)"));
  wafer.await(std::vector<std::uint64_t>{1, 1});
  EXPECT_EQ(wafer.outlet(0), std::vector<std::uint32_t>{1});
  EXPECT_EQ(wafer.outlet(1), std::vector<std::uint32_t>{0});
  EXPECT_EQ(wafer.flags(), "row 0 column 0: NO_ROUTE");
}

TEST(ReplicatedWafer, LivesAndDiesInAnyOrderAndThread) {
  auto first = std::make_unique<ReplicatedWafer>(machine::WaferShape{.rows = 1, .cols = 2});
  auto second = std::make_unique<ReplicatedWafer>(machine::WaferShape{.rows = 2, .cols = 2});
  const auto sum = [](ReplicatedWafer& wafer) {
    wafer.feed(start(wafer.shape(), kSum));
    wafer.await(std::vector<std::uint64_t>{1});
    EXPECT_EQ(wafer.outlet(0), std::vector<std::uint32_t>{200});
  };
  std::thread other([&] { sum(*second); });
  sum(*first);
  other.join();
  second.reset();
  first.reset();
  ReplicatedWafer third({.rows = 1, .cols = 1});
  EXPECT_EQ(third.flags(), "");
}

/// Each in a thread of its own, as the wafers of a run are; `make sanitize` would find a race between them.
TEST(ReplicatedWafer, ManyAreMadeAndEndAtOnce) {
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([] {
      for (int k = 0; k < 4; ++k) {
        ReplicatedWafer wafer({.rows = 2, .cols = 1});
        wafer.feed(start(wafer.shape(), kSum));
        wafer.await(std::vector<std::uint64_t>{1, 1});
        EXPECT_EQ(wafer.outlet(1), std::vector<std::uint32_t>{101});
        EXPECT_THROW(ReplicatedWafer({.rows = 1, .cols = 1, .lanes = 3}), std::invalid_argument);
      }
    });
  }
}

}  // namespace
}  // namespace weft::sim
