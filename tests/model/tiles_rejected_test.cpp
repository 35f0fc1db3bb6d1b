/// Programs that the model rejects: messages in arbitrary order, and tiles that never quiesce.
#include "tests/model/tiles.hpp"

namespace weft::model {
namespace {

TEST(Tiles, ALoopOfRoutesIsRefused) {
  Rig rig({.rows = 2, .cols = 2, .sram_kib = 1, .colors = 5});
  route(rig, 0, 0, 4, machine::Port::Ramp, out(machine::Port::E));
  route(rig, 0, 1, 4, machine::Port::W, out(machine::Port::S));
  route(rig, 1, 1, 4, machine::Port::N, out(machine::Port::W));
  route(rig, 1, 0, 4, machine::Port::E, out(machine::Port::N));
  route(rig, 0, 0, 4, machine::Port::S, out(machine::Port::E) | out(machine::Port::Ramp));
  rig.load("main: fork p\njoin\nhalt\np: snd 4, r0\nhalt").select(0, 0).call("main");
  EXPECT_EQ(failure(rig),
            "row 0 column 1: a message on EAST from row 0 column 0 arrives twice. HINT: the routes of "
            "a color must be a tree for each sender");
}

TEST(Tiles, TwoWaysToOneTileAreRefused) {
  Rig rig({.rows = 2, .cols = 2, .sram_kib = 1, .colors = 5});
  route(rig, 0, 0, 4, machine::Port::Ramp, out(machine::Port::E) | out(machine::Port::S));
  route(rig, 0, 1, 4, machine::Port::W, out(machine::Port::S));
  route(rig, 1, 0, 4, machine::Port::N, out(machine::Port::E));
  route(rig, 1, 1, 4, machine::Port::N, out(machine::Port::Ramp));
  route(rig, 1, 1, 4, machine::Port::W, out(machine::Port::Ramp));
  rig.load("main: fork p\njoin\nhalt\np: snd 4, r0\nhalt").select(0, 0).call("main");
  EXPECT_TRUE(contains(failure(rig), "row 1 column 1: a message on EAST from row 0 column 0 arrives twice"));
}

/// Columns 0 and 2 send to column 1 on EAST, one after the other if `turns`, or else both at once.
std::string merge(bool turns, std::vector<std::uint16_t>* got = nullptr) {
  Rig rig({.rows = 1, .cols = 3, .sram_kib = 1, .colors = 6});
  route(rig, 0, 0, 4, machine::Port::Ramp, out(machine::Port::E));
  route(rig, 0, 2, 4, machine::Port::Ramp, out(machine::Port::W));
  route(rig, 0, 1, 4, machine::Port::W, out(machine::Port::Ramp));
  route(rig, 0, 1, 4, machine::Port::E, out(machine::Port::Ramp));
  route(rig, 0, 1, 5, machine::Port::Ramp, out(machine::Port::E));
  route(rig, 0, 2, 5, machine::Port::W, out(machine::Port::Ramp));
  rig.go();
  rig.load(
      "main: fork p\njoin\nhalt\np: csrr r1, COL\naddi r2, r1, 20\nbeq r1, r0, first\nli r3, 2\n"
      "beq r1, r3, second\nrcv r4, 4\nsnd 5, r0\nrcv r5, 4\nhalt\nfirst: snd 4, r2\nhalt\nsecond: " +
      std::string(turns ? "rcv r3, 5\n" : "") + "snd 4, r2\nhalt");
  if (!turns) rig.select(0, 0).call("main").select(0, 2);  // the middle column sleeps
  const std::string what = failure(rig.call("main"));
  if (got) *got = {psum_register(rig, 0, 1, 4), psum_register(rig, 0, 1, 5)};
  return what;
}

TEST(Tiles, SendersThatMeetAreRefused) {
  EXPECT_EQ(merge(false),
            "row 0 column 1: on EAST words of row 0 column 0 wait when those of row 0 column 2 arrive, so "
            "their order is undefined. HINT: give each sender a color of its own");
  std::vector<std::uint16_t> got;
  EXPECT_EQ(merge(true, &got), "nothing");
  EXPECT_EQ(got, (std::vector<std::uint16_t>{20, 22}));
}

TEST(Tiles, MutuallyWaitingTilesAreNamed) {
  Rig rig({.rows = 1, .cols = 2, .sram_kib = 1, .colors = 5});
  route(rig, 0, kAll, 4, machine::Port::Ramp, out(machine::Port::W));
  rig.load("main: fork p\njoin\nhalt\np: rcv r1, 4\nsnd 4, r1\nhalt").call("main");
  const std::string what = failure(rig);
  for (const int col : {0, 1})
    EXPECT_TRUE(
        contains(what, "row 0 column " + std::to_string(col) +
                           ": main at pc 1 `join` waits for psum to be idle and done; psum at pc 3 `rcv r1, EAST` "
                           "waits for a word of its color; MP 0, PM 0 entries"))
        << what;
}

TEST(Tiles, EndlessTrafficIsStopped) {
  Rig rig({.rows = 1, .cols = 2, .sram_kib = 1, .colors = 6});
  route(rig, 0, 0, 4, machine::Port::Ramp, out(machine::Port::E));
  route(rig, 0, 1, 4, machine::Port::W, out(machine::Port::Ramp));
  route(rig, 0, 1, 5, machine::Port::Ramp, out(machine::Port::W));
  route(rig, 0, 0, 5, machine::Port::E, out(machine::Port::Ramp));
  rig.load(
      "main: fork p\njoin\nhalt\np: csrr r1, COL\nbne r1, r0, b\na: snd 4, r0\nrcv r2, 5\njmp a\n"
      "b: rcv r2, 4\nsnd 5, r0\njmp b");
  EXPECT_TRUE(contains(failure(rig.call("main")), "exchanges words without end, and W brings nothing"));
}

}  // namespace
}  // namespace weft::model
