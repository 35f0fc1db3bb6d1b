/// What the model says about programs and streams that are wrong.
#include <gtest/gtest.h>

#include "tests/model/rig.hpp"

namespace weft {
namespace {

constexpr WaferShape kShape{.rows = 2, .cols = 3, .sram_kib = 1};

std::string flags_of(const std::string& source, const WaferShape& shape = kShape) {
  Rig rig(shape);
  rig.load("main:\n" + source + "\nhalt").call("main").go();
  return rig.wafer->flags();
}

/// The message of what running `source` throws.
std::string failure(const std::string& source, const WaferShape& shape = kShape) {
  Rig rig(shape);
  rig.store(0, 1, 0, {5}).load("main:\n" + source + "\nhalt").call("main");
  try {
    rig.go();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "nothing";
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Errors, CommandsAtTheWrongTime) {
  Rig rig(kShape);
  EXPECT_EQ(rig.cr().go().wafer->flags(), "row 0 BAD_COMMAND, row 1 BAD_COMMAND");
  Rig other(kShape);
  EXPECT_EQ(other.weight(0x8001, 0).go().wafer->flags(), "row 1 BAD_COMMAND");
  Rig unknown(kShape);
  unknown.pending.push_back({200u << 24, true});
  EXPECT_EQ(unknown.go().wafer->flags(), "row 0 BAD_COMMAND, row 1 BAD_COMMAND");
}

TEST(Errors, AStreamEndsWithCr) {
  Rig rig(kShape);
  rig.load("main: li r1, 1\ncsrw VL, r1\nvaxs R[r0], M[r0]\nhalt").call("main").reg(1, 1).go();
  EXPECT_EQ(rig.wafer->flags(), "row 0 BAD_COMMAND, row 1 BAD_COMMAND");
}

TEST(Errors, WeightsOfNoRow) {
  Rig rig({.rows = 3, .cols = 1});
  EXPECT_EQ(rig.weight(0xc000, 0).go().wafer->flags(), "row 2 NO_ROW");
}

TEST(Errors, IllegalInstructions) {
  EXPECT_EQ(flags_of(".word 0"), "row 0 BAD_INSTR, row 1 BAD_INSTR");
  EXPECT_EQ(flags_of("rcv r1, RING"), "row 0 BAD_INSTR, row 1 BAD_INSTR");  // psum's
}

TEST(Errors, BadAddresses) {
  const std::string setup = "li r1, 1\ncsrw VL, r1\ncsrw REP, r1\n";
  EXPECT_EQ(flags_of(setup + "li r2, 6\nvf.fma R[r0], M[r2], S[r0], Z"), "row 0 MISALIGNED, row 1 MISALIGNED");
  EXPECT_EQ(flags_of(setup + "li r2, 512\nvf.fma R[r0], M[r2], S[r0], Z"), "row 0 BAD_ADDRESS, row 1 BAD_ADDRESS");
  EXPECT_EQ(flags_of(setup + "li r2, 2048\nvf.fma M[r2], S[r2], S[r0], Z"), "row 0 BAD_ADDRESS, row 1 BAD_ADDRESS");
  EXPECT_EQ(flags_of("li r2, 600\nld r1, r2, 0"), "row 0 BAD_ADDRESS, row 1 BAD_ADDRESS");
  Rig rig(kShape);
  EXPECT_EQ(rig.store(1, 2, 512, {1}).go().wafer->flags(), "row 1 BAD_ADDRESS");
}

TEST(Errors, NowhereToSend) {
  EXPECT_EQ(flags_of("fork p\njoin\nhalt\np: snd NORTH, r0\nhalt"), "row 0 NO_ROUTE");
  EXPECT_EQ(flags_of("fork p\njoin\nhalt\np: snd 9, r0\nhalt"), "row 0 BAD_COLOR, row 1 BAD_COLOR");
}

TEST(Errors, AColumnThatDiffers) {
  EXPECT_EQ(failure("ld r1, r0, 0"),
            "row 0, pc 0 `ld r1, r0, 0`: ld from address 0 differs between columns 0 and 1: a row must run in step");
  Rig rig(kShape);
  rig.select(0, 1).reg(1, 1);
  EXPECT_THROW(rig.go(), std::runtime_error);
}

TEST(Errors, WhatHardwareDoesNotCheck) {
  EXPECT_TRUE(contains(failure("vf.fma R[r0], S[r0], S[r0], Z"), "VL is 0"));
  EXPECT_TRUE(contains(failure("fork p\nmvp r1, r1\np: rcv r1, RING"), "join first"));
  EXPECT_TRUE(contains(failure("fork p\nhalt\np: li r1, 1\ncsrw VL, r1\nvs.mov own=R[r0], out=WEST"), "use gather"));
  EXPECT_TRUE(contains(failure("fork p\nhalt\np: snd WEST, r0"), "without an earlier rcv"));
  EXPECT_TRUE(contains(failure("fork p\nhalt\np: rcv r1, WEST\nli r1, 1\nsnd WEST, r1"), "columns differ"));
  EXPECT_TRUE(contains(failure("here: jmp here"), "in circles"));
  EXPECT_TRUE(contains(failure("li r1, 1\ncsrw VL, r1\ncsrw REP, r1\nhere: vf.fma R[r0], M[r0], S[r1], Z\njmp here"),
                       "in circles"));
}

TEST(Stuck, SaysWhoWaitsForWhat) {
  Rig rig(kShape);
  rig.load("main: fork p\nli r1, 1\ncsrw VL, r1\nvaxs R[r0], M[r0]\nhalt\np: rcv r1, RING\nhalt").call("main").go();
  const std::vector<std::uint64_t> totals{0, 2};
  try {
    rig.wafer->await(totals);
    FAIL();
  } catch (const WaferStuck& stuck) {
    const std::string text = stuck.what();
    EXPECT_TRUE(contains(text,
                         "row 1: delivered 0 of 2; main at pc 4 `halt` waits for its sequencer, its sequencer at "
                         "pc 3 `vaxs R[r0], M[r0]` waits for a weight or CR on W; psum at pc 5 `rcv r1, RING` "
                         "waits for a word of its color"))
        << text;
  }
}

TEST(Stuck, NotIfAllCame) {
  Rig rig({.rows = 2, .cols = 1});
  rig.load("main: fork p\nhalt\np: snd WEST, r0\nhalt").call("main").go();
  const std::vector<std::uint64_t> totals{1, 1};
  EXPECT_NO_THROW(rig.wafer->await(totals));
}

TEST(Shape, MustMakeSense) {
  EXPECT_THROW(make_model_wafer({.rows = 0}), std::invalid_argument);
  EXPECT_THROW(make_model_wafer({.lanes = 3}), std::invalid_argument);
  EXPECT_THROW(make_model_wafer({.rows = 2, .valves = 3}), std::invalid_argument);
}

}  // namespace
}  // namespace weft
