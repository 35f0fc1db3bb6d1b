/// rtl/debug/weft_tile_debug.sv alone: the effects of commands, and when they have none
/// (docs/reference/debug_chain.md).
#include <gtest/gtest.h>

#include "tests/debug/tile_node.hpp"

namespace weft::test {
namespace {

constexpr unsigned kGiveUp = 8, kMain = 4, kPsum = 2, kCount = 1;
constexpr unsigned kCountWord = 1u << 31;

TEST(TileDebug, OnlyAHaltedTileExecutesCommands) {
  const std::pair<NodeCommand, unsigned> commands[] = {
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
      TileNode node;
      NodeCommand c = command;
      c.halt = stays;
      node.send(c);
      EXPECT_EQ(node.pulses(), 0u) << "it is not halted yet";
      node.send({.halt = true});
      node.send(c);
      EXPECT_EQ(node.pulses(), pulse) << "once";
      EXPECT_EQ(node.control() >> 4, stays);
    }
}

/// Also a tile that runs: reading rotates only the counters.
TEST(TileDebug, AnyTileShowsTheNextBitOfACount) {
  TileNode node;
  for (const bool halt : {false, true}) {
    node.send({.halt = halt, .word = kCountWord | 0x15});
    EXPECT_EQ(node.pulses(), kCount) << "once";
    EXPECT_EQ(static_cast<std::uint32_t>(std::uint64_t{node.dut.control_o}), kCountWord | 0x15)
        << "thread and stall reason, until the next transaction";
    node.send({.halt = halt, .word = ~kCountWord});
    EXPECT_EQ(node.pulses(), 0u);
  }
}

TEST(TileDebug, TheWordIsThereInTheCycleBehind) {
  TileNode node;
  node.send({.halt = true});
  node.send({.halt = true, .run = true, .word = 0xdeadbeef});
  EXPECT_EQ(static_cast<std::uint32_t>(std::uint64_t{node.dut.control_o}), 0xdeadbeefu);
}

TEST(TileDebug, StaysHaltedUntilACommandReleasesIt) {
  TileNode node;
  EXPECT_EQ(node.control() >> 4, 0u);
  node.send({.halt = true});
  node.send({.halt = true, .run = true});
  EXPECT_EQ(node.control() >> 4, 1u);
  node.send({});
  EXPECT_EQ(node.control() >> 4, 0u);
}

TEST(TileDebug, AResetLetsItGo) {
  TileNode node;
  node.send({.halt = true});
  reset(node.dut);
  EXPECT_EQ(node.control() >> 4, 0u);
  node.send({.run = true});
  EXPECT_EQ(node.pulses(), 0u);
}

TEST(TileDebug, AResetEndsATransaction) {
  TileNode node;
  node.send({.halt = true});
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
  TileNode node;
  node.dut.status_i = 0x9'8765'4321;  // as tests/debug/CMakeLists.txt makes it: 36 bits, three words
  for (const unsigned index : {2u, 0u, 1u}) {
    node.send({.index = index});
    EXPECT_EQ(node.send({}) & 0xffff, 0x9'8765'4321ull >> 16 * index & 0xffff) << index;
  }
}

TEST(TileDebug, ForwardsWhatArrives) {
  TileNode node;
  node.send({.halt = true, .give_up = false, .run = false, .psum = true, .index = 0, .word = 0xc3a55a3c});
  EXPECT_EQ(node.send({}) >> 16, (std::uint64_t{1} << 39 | std::uint64_t{1} << 36 | 0xc3a55a3cu) >> 16)
      << "but for the lower bits, which are a status";
}

}  // namespace
}  // namespace weft::test
