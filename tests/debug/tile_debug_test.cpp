/// rtl/debug/tile_debug.sv alone: what a command does, and when it does nothing (docs/debug_chain.md).
#include <gtest/gtest.h>

#include <vector>

#include "Vtile_debug.h"
#include "tests/clock.hpp"

namespace weft::test {
namespace {

struct Command {
  bool halt = false, give_up = false, run = false, psum = false;
  unsigned index = 0;
  unsigned word = 0;
};

struct Node {
  Node() { reset(dut); }
  /// One transaction of this node alone; the 40 bits that came out of it.
  std::uint64_t tell(const Command& c) {
    const std::uint64_t bits = std::uint64_t{c.halt} << 39 | std::uint64_t{c.give_up} << 38 |
                               std::uint64_t{c.run} << 37 | std::uint64_t{c.psum} << 36 | std::uint64_t{c.index} << 32 |
                               c.word;
    std::uint64_t came = 0;
    for (int i = 0; i <= 40; ++i) {
      shift(true, i > 0 && (bits >> (i - 1) & 1) != 0);
      if (i > 0) came |= std::uint64_t{out() & 1u} << (i - 1);  // a cycle behind the first
    }
    updates.clear();
    for (int i = 0; i < 4; ++i) shift(false, true);
    return came;
  }
  /// chain_i is {shift, data}.
  void shift(bool on, bool data) {
    dut.chain_i = static_cast<CData>(on << 1 | data);
    dut.eval();
    updates.push_back(control());
    clock(dut);
  }
  unsigned out() const { return dut.chain_o; }
  /// {halt, give_up, run_main, run_psum, count}
  unsigned control() const { return static_cast<unsigned>(std::uint64_t{dut.control_o} >> 32); }
  /// Of the pulses of the last command, all there were.
  unsigned pulses() const {
    unsigned sum = 0;
    for (const unsigned u : updates) sum += u & 15;
    return sum;
  }

  struct OneThread : VerilatedContext {
    OneThread() { threads(1); }  // or it starts a pool of them, which run while the next one is made
  } context;
  Vtile_debug dut{&context};
  std::vector<unsigned> updates;
};

constexpr unsigned kGiveUp = 8, kMain = 4, kPsum = 2, kCount = 1;
constexpr unsigned kCountWord = 1u << 31;

TEST(TileDebug, OnlyAHaltedTileDoesWhatItIsTold) {
  const std::pair<Command, unsigned> commands[] = {
      {{.give_up = true}, kGiveUp},
      {{.run = true}, kMain},
      {{.run = true, .psum = true}, kPsum},
      {{.give_up = true, .run = true}, kGiveUp + kMain},
      {{.run = true, .word = kCountWord}, kMain},
      {{.psum = true}, 0},
      {{}, 0},
  };
  for (const bool stays : {false, true})
    for (const auto& [command, pulse] : commands) {
      Node node;
      Command c = command;
      c.halt = stays;
      node.tell(c);
      EXPECT_EQ(node.pulses(), 0u) << "it is not halted yet";
      node.tell({.halt = true});
      node.tell(c);
      EXPECT_EQ(node.pulses(), pulse) << "once";
      EXPECT_EQ(node.control() >> 4, stays);
    }
}

/// Also of one that runs: only counts turn.
TEST(TileDebug, AnyTileShowsTheNextBitOfACount) {
  Node node;
  for (const bool halt : {false, true}) {
    node.tell({.halt = halt, .word = kCountWord | 0x15});
    EXPECT_EQ(node.pulses(), kCount) << "once";
    EXPECT_EQ(static_cast<std::uint32_t>(std::uint64_t{node.dut.control_o}), kCountWord | 0x15)
        << "thread and cause, until the next transaction";
    node.tell({.halt = halt, .word = ~kCountWord});
    EXPECT_EQ(node.pulses(), 0u);
  }
}

TEST(TileDebug, TheWordIsThereInTheCycleBehind) {
  Node node;
  node.tell({.halt = true});
  node.tell({.halt = true, .run = true, .word = 0xdeadbeef});
  EXPECT_EQ(static_cast<std::uint32_t>(std::uint64_t{node.dut.control_o}), 0xdeadbeefu);
}

TEST(TileDebug, StaysHaltedUntilItIsToldOtherwise) {
  Node node;
  EXPECT_EQ(node.control() >> 4, 0u);
  node.tell({.halt = true});
  node.tell({.halt = true, .run = true});
  EXPECT_EQ(node.control() >> 4, 1u);
  node.tell({});
  EXPECT_EQ(node.control() >> 4, 0u);
}

TEST(TileDebug, AResetLetsItGo) {
  Node node;
  node.tell({.halt = true});
  reset(node.dut);
  EXPECT_EQ(node.control() >> 4, 0u);
  node.tell({.run = true});
  EXPECT_EQ(node.pulses(), 0u);
}

TEST(TileDebug, AResetEndsATransaction) {
  Node node;
  node.tell({.halt = true});
  for (int i = 0; i < 20; ++i) node.shift(true, true);
  ASSERT_EQ(node.out() >> 1, 1u);
  node.dut.rst_i = 1;
  node.shift(true, true);
  EXPECT_EQ(node.out() >> 1, 0u) << "and what comes behind it has none";
  node.dut.rst_i = 0;
  node.updates.clear();
  for (int i = 0; i < 4; ++i) node.shift(false, true);
  EXPECT_EQ(node.pulses(), 0u);
  EXPECT_EQ(node.control() >> 4, 0u) << "what it holds is no command";
}

TEST(TileDebug, ShowsTheWordThatTheCommandBeforeAskedFor) {
  Node node;
  node.dut.status_i = 0x9'8765'4321;  // as tests/debug/CMakeLists.txt makes it: 36 bits, three words
  for (const unsigned index : {2u, 0u, 1u}) {
    node.tell({.index = index});
    EXPECT_EQ(node.tell({}) & 0xffff, 0x9'8765'4321ull >> 16 * index & 0xffff) << index;
  }
}

TEST(TileDebug, PassesOnWhatComes) {
  Node node;
  node.tell({.halt = true, .give_up = false, .run = false, .psum = true, .index = 0, .word = 0xc3a55a3c});
  EXPECT_EQ(node.tell({}) >> 16, (std::uint64_t{1} << 39 | std::uint64_t{1} << 36 | 0xc3a55a3cu) >> 16)
      << "but for the lower bits, which are a status";
}

}  // namespace
}  // namespace weft::test
