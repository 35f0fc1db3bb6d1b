#include "verif/sim/stamped_wafer.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "sw/asm/assembler.hpp"

namespace weft {
namespace {

/// Loads a program, sets the routes of WEST and RING, calls address 0.
std::vector<Message> start(std::string_view source) {
  std::vector<Message> stream;
  const auto command = [&](Command code, int arg, std::uint32_t value) {
    stream.push_back(Message::command(code, static_cast<std::uint8_t>(arg), static_cast<std::uint16_t>(value)));
  };
  const auto route = [&](Color color, int port, int outputs) {
    command(Command::Route, 0, static_cast<std::uint32_t>(static_cast<int>(color) << 11 | port << 8 | outputs));
  };
  route(Color::Ring, 4, 1 << 2);
  route(Color::Ring, 0, 1 << 4);
  route(Color::West, 4, 1 << 3);
  route(Color::West, 1, 1 << 4);
  command(Command::Iaddr, 0, 0);
  for (const std::uint32_t word : assemble(source, "test.s").words) {
    command(Command::Ilo, 0, word & 0xffff);
    command(Command::Ihi, 0, word >> 16);
  }
  command(Command::Call, 0, 0);
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

std::string stuck(Wafer& wafer, std::span<const std::uint64_t> totals) {
  try {
    wafer.await(totals);
    return "it did not get stuck";
  } catch (const WaferStuck& e) {
    return e.what();
  }
}

TEST(StampedWafer, RunsAProgramOnEveryTile) {
  StampedWafer wafer({.rows = 3, .cols = 5});
  wafer.feed(start(kSum));
  wafer.await(std::vector<std::uint64_t>{1, 1, 1});
  for (int row = 0; row < 3; ++row) EXPECT_EQ(wafer.outlet(row), std::vector<std::uint32_t>{5u * (100 + row)});
  wafer.settle();
  const std::uint64_t cycles = wafer.counters().cycles;
  wafer.settle();
  EXPECT_EQ(wafer.counters().cycles, cycles) << "time stands still when nothing moves";
  EXPECT_EQ(wafer.flags(), "");
}

TEST(StampedWafer, TimePassesOnlyWhileTheIntakeHasMessages) {
  StampedWafer wafer({.rows = 1, .cols = 1});
  wafer.feed(start("loop: jmp loop"));
  const std::uint64_t cycles = wafer.counters().cycles;
  wafer.feed({});
  EXPECT_EQ(wafer.counters().cycles, cycles);
}

TEST(StampedWafer, SaysWhoWaitsForWhom) {
  StampedWafer wafer({.rows = 2, .cols = 1});
  wafer.feed(start("fork p\n join\n halt\n p: rcv r1, RING\n halt"));
  const std::string text = stuck(wafer, std::vector<std::uint64_t>{0, 1});
  EXPECT_NE(text.find("row 1's outlet has delivered 0 of 1 messages"), std::string::npos) << text;
  EXPECT_NE(text.find("row 0 column 0: main pc 1"), std::string::npos) << text;
  EXPECT_NE(text.find("psum pc 3 (waits for RING?)"), std::string::npos) << text;
}

TEST(StampedWafer, NoticesALoopWithoutAnEnd) {
  StampedWafer wafer({.rows = 1, .cols = 1});
  wafer.feed(start("loop: jmp loop"));
  const std::string text = stuck(wafer, std::vector<std::uint64_t>{1});
  EXPECT_NE(text.find("no message and no beat for"), std::string::npos) << text;
  EXPECT_NE(text.find("row 0 column 0: runs: main pc 0; psum rests"), std::string::npos) << text;
}

TEST(StampedWafer, NoticesALoopThatComputesForEver) {
  StampedWafer wafer({.rows = 1, .cols = 1});
  wafer.feed(start("li r1, 1\n csrw VL, r1\n csrw REP, r1\nloop: vf.fma R[r0], M[r0], S[r1], Z\n jmp loop"));
  const std::string text = stuck(wafer, std::vector<std::uint64_t>{1});
  EXPECT_NE(text.find("no message for 2097152 cycles, only beats"), std::string::npos) << text;
  EXPECT_NE(text.find("row 0 column 0: runs: main pc "), std::string::npos) << text;
}

TEST(StampedWafer, NamesThePlaceOfAFlag) {
  StampedWafer wafer({.rows = 3, .cols = 2});
  const Message m[] = {Message::weight(3 << 14, 1), Message::command(static_cast<Command>(77), 0, 0)};
  wafer.feed(m);
  wafer.settle();
  EXPECT_EQ(
      wafer.flags(),
      "row 0 column 0: BAD_COMMAND; row 0 column 1: BAD_COMMAND; row 1 column 0: BAD_COMMAND; "
      "row 1 column 1: BAD_COMMAND; row 2 edge: NO_ROW; row 2 column 0: BAD_COMMAND; row 2 column 1: BAD_COMMAND");
}

TEST(StampedWafer, AProgramReadsTheFlagOfItsRouter) {
  StampedWafer wafer({.rows = 2, .cols = 1});
  wafer.feed(start(R"(
        fork p
        join
        halt
p:      csrr r1, ROW
        beq  r1, r0, say
        snd  NORTH, r1        ; has no route
        li   r2, 50
wait:   dbnz r2, wait
say:    csrr r1, FLAGS
        snd  WEST, r1
        halt
)"));
  wafer.await(std::vector<std::uint64_t>{1, 1});
  EXPECT_EQ(wafer.outlet(0), std::vector<std::uint32_t>{0});
  EXPECT_EQ(wafer.outlet(1), std::vector<std::uint32_t>{1});
  EXPECT_EQ(wafer.flags(), "row 1 column 0: NO_ROUTE");
}

TEST(StampedWafer, LivesAndDiesInAnyOrderAndThread) {
  auto first = std::make_unique<StampedWafer>(WaferShape{.rows = 1, .cols = 2});
  auto second = std::make_unique<StampedWafer>(WaferShape{.rows = 2, .cols = 2});
  const auto sum = [](StampedWafer& wafer) {
    wafer.feed(start(kSum));
    wafer.await(std::vector<std::uint64_t>{1});
    EXPECT_EQ(wafer.outlet(0), std::vector<std::uint32_t>{200});
  };
  std::thread other([&] { sum(*second); });
  sum(*first);
  other.join();
  second.reset();
  first.reset();
  StampedWafer third({.rows = 1, .cols = 1});
  EXPECT_EQ(third.flags(), "");
}

/// Each in a thread of its own, as wafers of a run are; a race between them is for `make sanitize` to find.
TEST(StampedWafer, ManyAreMadeAndEndAtOnce) {
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([] {
      for (int k = 0; k < 4; ++k) {
        StampedWafer wafer({.rows = 2, .cols = 1});
        wafer.feed(start(kSum));
        wafer.await(std::vector<std::uint64_t>{1, 1});
        EXPECT_EQ(wafer.outlet(1), std::vector<std::uint32_t>{101});
        EXPECT_THROW(StampedWafer({.rows = 1, .cols = 1, .lanes = 3}), std::invalid_argument);
      }
    });
  }
}

}  // namespace
}  // namespace weft
