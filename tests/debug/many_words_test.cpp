/// rtl/debug/weft_tile_debug.sv with more than 16 status words, as a tile of many colors has: 25 of them
/// (docs/reference/debug_chain.md).
#include <gtest/gtest.h>

#include "tests/debug/tile_node.hpp"

namespace weft::test {
namespace {

constexpr unsigned kWords = 25;

unsigned word(unsigned index) { return (0x1234u + 0x0a07u * index) & 0xffffu; }

struct Filled : TileNode {
  Filled() {
    for (unsigned w = 0; w < kWords; ++w) {
      dut.status_i[w / 2] &= w % 2 == 0 ? 0xffff0000u : 0x0000ffffu;
      dut.status_i[w / 2] |= word(w) << 16 * (w % 2);
    }
  }
};

TEST(ManyWords, EachIsShownWhenItIsAskedFor) {
  Filled node;
  for (const bool halt : {false, true})
    for (unsigned step = 0; step < kWords; ++step) {
      const unsigned index = step * 7 % kWords;
      node.send({.halt = halt, .psum = index >= 16, .index = index & 15});
      EXPECT_EQ(node.pulses(), 0u);
      EXPECT_EQ(node.send({.halt = halt}) & 0xffff, word(index)) << index;
    }
}

/// The bit above the index names the thread of an instruction, if the command runs one.
TEST(ManyWords, InstructionResultIsInTheFirstWords) {
  Filled node;
  node.send({.halt = true});
  for (const bool psum : {false, true}) {
    node.send({.halt = true, .run = true, .psum = psum, .index = psum});
    EXPECT_EQ(node.send({.halt = true}) & 0xffff, word(psum));
  }
}

}  // namespace
}  // namespace weft::test
