/// The scalar instructions of both threads.
#include <gtest/gtest.h>

#include "tests/model/rig.hpp"
#include "tests/random.hpp"

namespace weft::model::scalar_test {
namespace {

/// A wafer of one column, where a snd on WEST goes directly to the outlet.
constexpr machine::WaferShape kShape{.rows = 2, .cols = 1, .sram_kib = 1};

/// Words that psum sends on row `row` when it runs `source`.
std::vector<std::uint32_t> sent(const std::string& source, int row = 0) {
  Rig rig(kShape);
  rig.load("main: fork psum\njoin\nhalt\npsum:\n" + source + "\nhalt").call("main").go();
  EXPECT_EQ(rig.wafer->flags(), "");
  return rig.wafer->outlet(row);
}

using Words = std::vector<std::uint32_t>;

TEST(Scalar, ArithmeticIsModulo65536) {
  test::Rng rng(test::test_seed());
  for (int round = 0; round < 50; ++round) {
    const auto a = static_cast<std::uint16_t>(rng.next()), b = static_cast<std::uint16_t>(rng.next());
    const unsigned shift = rng.below(16);
    const std::string text =
        "li r1, " + std::to_string(a) + "\nli r2, " + std::to_string(b) +
        "\nadd r3, r1, r2\nsnd WEST, r3\nsub r3, r1, r2\nsnd WEST, r3\nand r3, r1, r2\nsnd WEST, r3\n"
        "or r3, r1, r2\nsnd WEST, r3\nxor r3, r1, r2\nsnd WEST, r3\naddi r3, r1, " +
        std::to_string(b) + "\nsnd WEST, r3\nshl r3, r1, " + std::to_string(shift) + "\nsnd WEST, r3\nshr r3, r1, " +
        std::to_string(shift) + "\nsnd WEST, r3\n";
    const auto low = [](unsigned x) { return x & 0xffff; };
    EXPECT_EQ(sent(text), (Words{low(a + b), low(a - b), low(a & b), low(a | b), low(a ^ b), low(a + b),
                                 low(unsigned{a} << shift), unsigned{a} >> shift}));
  }
}

TEST(Scalar, RegisterZeroStaysZero) {
  EXPECT_EQ(sent("li r0, 5\nsnd WEST, r0\naddi r0, r0, 1\nsnd WEST, r0"), (Words{0, 0}));
}

TEST(Scalar, BranchesCompareUnsigned) {
  EXPECT_EQ(sent(R"(
        li r1, 0xffff
        li r2, 1
        li r3, 0
        blt r2, r1, a
        addi r3, r3, 1
a:      bge r1, r2, b
        addi r3, r3, 2
b:      blt r1, r2, c
        addi r3, r3, 4
c:      beq r1, r1, d
        addi r3, r3, 8
d:      bne r1, r1, e
        addi r3, r3, 16
e:      bge r1, r1, f
        addi r3, r3, 32
f:      blt r1, r1, g
        addi r3, r3, 64
g:      snd WEST, r3)"),
            (Words{4 + 16 + 64}));
}

TEST(Scalar, LoopsAndCalls) {
  EXPECT_EQ(sent(R"(
        li  r1, 3
        li  r2, 0
loop:   jal r5, more
        dbnz r1, loop
        snd WEST, r2
        snd WEST, r1
        halt
more:   addi r2, r2, 7
        jr  r5)"),
            (Words{21, 0}));
}

TEST(Scalar, ControlRegistersKeepWhatIsWrittenAndKnowThePlace) {
  const std::string text =
      "li r1, 77\ncsrw VL, r1\ncsrr r2, VL\nsnd WEST, r2\ncsrr r2, ROW\nsnd WEST, r2\n"
      "csrr r2, ROWS\nsnd WEST, r2\ncsrr r2, FLAGS\nsnd WEST, r2";
  EXPECT_EQ(sent(text, 1), (Words{77, 1, 2, 0}));
}

TEST(Scalar, WordsTravelOnTheRingAndNorth) {
  EXPECT_EQ(sent(R"(
        csrr r1, ROW
        addi r1, r1, 40
        snd RING, r1
        rcv r2, RING
        snd WEST, r2
        csrr r1, ROW
        beq r1, r0, top
        snd NORTH, r2
        halt
top:    rcv r3, NORTH
        snd WEST, r3)"),
            (Words{41, 40}));
}

TEST(Scalar, LoadSeesVectorWrites) {
  Rig rig(kShape);
  rig.load(R"(
main:   li   r1, 1
        csrw VL, r1
        csrw REP, r1
        li   r2, 0x4000
        li   r3, bf16(1)
        li   r4, 8
        vf.fma M[r4], S[r2], S[r3], Z
        ld   r5, r4, 3
        mvp  r5, r5
        fork psum
        join
        halt
psum:   snd  WEST, r5
        halt)");
  rig.call("main").go();
  EXPECT_EQ(rig.wafer->outlet(0), (Words{0x4000}));
}

TEST(Scalar, FlagsAreZeroAlongARowOfManyColumns) {
  Rig rig({.rows = 2, .cols = 5});
  rig.load("main: fork psum\njoin\nhalt\npsum: csrr r1, FLAGS\nrcv r2, WEST\nor r1, r1, r2\nsnd WEST, r1\nhalt");
  rig.call("main").call("main").go();
  EXPECT_EQ(rig.wafer->outlet(0), (Words{0, 0}));
  EXPECT_EQ(rig.wafer->outlet(1), (Words{0, 0}));
}

}  // namespace
}  // namespace weft::model::scalar_test
