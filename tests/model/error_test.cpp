/// The model's errors about invalid programs and streams.
#include <gtest/gtest.h>

#include "tests/model/rig.hpp"

namespace weft::model::error_test {
namespace {

constexpr machine::WaferShape kShape{.rows = 2, .cols = 3, .sram_kib = 1};

std::string flags_of(const std::string& source, const machine::WaferShape& shape = kShape) {
  Rig rig(shape);
  rig.load("main:\n" + source + "\nhalt").call("main").go();
  return rig.wafer->flags();
}

/// The message of the exception from running `source`.
std::string failure(const std::string& source, const machine::WaferShape& shape = kShape) {
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
  EXPECT_EQ(rig.weight(0xc000, 0).go().wafer->flags(), "row 2 edge NO_ROW");
  EXPECT_EQ(rig.wafer->state(2, 0).flags, 0);  // the flag is the edge's
}

TEST(Errors, NowhereToSend) {
  EXPECT_EQ(flags_of("fork p\njoin\nhalt\np: snd NORTH, r0\nhalt"), "row 0 NO_ROUTE");
  EXPECT_EQ(flags_of("fork p\njoin\nhalt\np: snd 9, r0\nhalt"), "row 0 BAD_COLOR, row 1 BAD_COLOR");
}

TEST(Errors, LoopsWithoutEnd) {
  const std::string vf = "li r1, 1\ncsrw VL, r1\ncsrw REP, r1\nhere: vf.fma R[r0], M[r0], S[r1], Z\njmp here";
  const std::string words = "fork p\nhalt\np: snd RING, r0\nrcv r0, RING\njmp p";
  EXPECT_TRUE(contains(failure("here: jmp here"), "row 0, pc 0 `jal r0, 0`: runs in an endless loop"));
  EXPECT_TRUE(contains(failure(vf), "row 0, pc 4 `jal r0, 3`: runs in an endless loop"));
  EXPECT_TRUE(contains(failure(words), "exchanges words without end"));
}

TEST(Shape, MustMakeSense) {
  EXPECT_THROW(make_model_wafer({.rows = 0}), std::invalid_argument);
  EXPECT_THROW(make_model_wafer({.lanes = 3}), std::invalid_argument);
  EXPECT_THROW(make_model_wafer({.rows = 2, .valves = 3}), std::invalid_argument);
  EXPECT_THROW(make_model_wafer({.colors = 0}), std::invalid_argument);
  EXPECT_THROW(make_model_wafer({.colors = 33}), std::invalid_argument);
  EXPECT_NO_THROW(make_model_wafer({.colors = 32}));
}

}  // namespace
}  // namespace weft::model::error_test
