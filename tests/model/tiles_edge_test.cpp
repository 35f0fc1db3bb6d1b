/// The west edge of tiles with individual routes: words that an outlet delivers, and the paths of W.
#include "tests/model/tiles.hpp"

namespace weft::model {
namespace {

TEST(Tiles, AnOutletDeliversOneSendersWordsAtATime) {
  const std::string source = "main: fork p\njoin\nhalt\np: csrr r1, COL\nsnd WEST, r1\nhalt";
  for (const bool waits : {false, true}) {
    SCOPED_TRACE(waits);
    Rig rig({.rows = 1, .cols = 3, .sram_kib = 1});
    for (const int col : {0, 1}) route(rig, 0, col, 3, machine::Port::E, out(machine::Port::W));
    rig.go();
    rig.load(source).select(0, 2).call("main");
    if (waits) {
      rig.feed();
      rig.wafer->await(std::vector<std::uint64_t>{1});
    }
    rig.select(0, 0).call("main");
    const std::string what = failure(rig);
    if (waits) {
      EXPECT_EQ(what, "nothing");
      EXPECT_EQ(rig.wafer->outlet(0), (std::vector<std::uint32_t>{2, 0}));
    } else {
      EXPECT_TRUE(
          contains(what, "the outlet of row 0 gets words of row 0 column 0 on WEST and of row 0 column 2 on WEST"))
          << what;
    }
  }
}

TEST(Tiles, WordsOfStepCountAtTheOutlet) {
  // Column 0's word is sent in lockstep, the other by an individual tile.
  Rig rig({.rows = 1, .cols = 2, .sram_kib = 1, .colors = 5});
  route(rig, 0, kAll, 4, machine::Port::Ramp, out(machine::Port::W));
  route(rig, 0, kAll, 4, machine::Port::E, out(machine::Port::W));
  rig.load(
      "main: fork p\njoin\nhalt\np: rcv r1, WEST\nsnd WEST, r1\nhalt\nother: fork q\njoin\nhalt\n"
      "q: csrr r1, COL\nbeq r1, r0, end\nsnd 4, r1\nend: halt");
  rig.call("main").call("other");
  EXPECT_TRUE(contains(failure(rig), "gets words of row 0 column 0 on WEST and of row 0 column 1 on EAST"));
}

TEST(Tiles, WordsOfStepThatTheHostHasDoNotCount) {
  Rig rig({.rows = 1, .cols = 2, .sram_kib = 1, .colors = 5});
  route(rig, 0, kAll, 4, machine::Port::Ramp, out(machine::Port::W));
  route(rig, 0, kAll, 4, machine::Port::E, out(machine::Port::W));
  rig.load(
      "main: fork p\njoin\nhalt\np: rcv r1, WEST\nsnd WEST, r1\nhalt\nother: fork q\njoin\nhalt\n"
      "q: csrr r1, COL\nbeq r1, r0, end\nsnd 4, r1\nend: halt");
  rig.call("main").go();
  EXPECT_TRUE(model(*rig.wafer).in_lockstep());
  rig.call("other").go();
  EXPECT_EQ(rig.wafer->outlet(0), (std::vector<std::uint32_t>{0, 1}));
}

TEST(Tiles, WMayBeRoutedElsewhere) {
  constexpr int kW = 0;
  Rig rig({.rows = 2, .cols = 3, .sram_kib = 1});
  route(rig, 0, 0, kW, machine::Port::W, out(machine::Port::Ramp));  // the rest of row 0 is cut off
  rig.go();
  rig.reg(1, 5).go();
  for (int col = 0; col < 3; ++col) {
    EXPECT_EQ(main_register(rig, 0, col, 1), col == 0 ? 5 : 0);
    EXPECT_EQ(main_register(rig, 1, col, 1), 5);
  }
  // Row 1's W is sent back out; row 1 receives row 0's commands and weights instead.
  route(rig, 0, 0, kW, machine::Port::W, out(machine::Port::Ramp) | out(machine::Port::S));
  route(rig, 1, 0, kW, machine::Port::N, out(machine::Port::Ramp) | out(machine::Port::E));
  route(rig, 1, 0, kW, machine::Port::W, out(machine::Port::W));
  rig.go();
  rig.reg(2, 6).go();
  EXPECT_EQ(main_register(rig, 1, 2, 2), 6);
  EXPECT_EQ(main_register(rig, 0, 0, 2), 6);
  EXPECT_EQ(rig.wafer->outlet(1),
            std::vector<std::uint32_t>{static_cast<std::uint32_t>(machine::Command::Setreg) << 24 | 2 << 16 | 6});
  rig.weight(0, 0).go();
  EXPECT_EQ(rig.wafer->flags(), "row 0 column 0 BAD_COMMAND, row 1 BAD_COMMAND");
  route(rig, 0, 0, kW, machine::Port::W, 0);
  rig.go();
  rig.reg(3, 1).go();
  EXPECT_EQ(main_register(rig, 0, 0, 3), 0);
  EXPECT_EQ(rig.wafer->state(0, 0).flags & 1, 1);  // NO_ROUTE

  rig.wafer->reset();
  rig.reg(1, 9).go();
  EXPECT_EQ(main_register(rig, 0, 2, 1), 9);
}

/// W passes all columns and is delivered on its way back: rows remain in lockstep, and tiles have these routes.
TEST(Tiles, WMayTurnAroundInLockstep) {
  constexpr int kW = 0, kCols = 3;
  Rig rig({.rows = 2, .cols = kCols, .sram_kib = 1});
  route(rig, kAll, kAll, kW, machine::Port::E, out(machine::Port::W) | out(machine::Port::Ramp));
  route(rig, kAll, 0, kW, machine::Port::E, out(machine::Port::Ramp));
  for (int col = 0; col < kCols - 1; ++col) route(rig, kAll, col, kW, machine::Port::W, out(machine::Port::E));
  route(rig, kAll, kCols - 1, kW, machine::Port::W, out(machine::Port::W) | out(machine::Port::Ramp));
  rig.go();
  rig.reg(1, 5).go();
  EXPECT_TRUE(model(*rig.wafer).in_lockstep());
  const auto routes = [&](int col, machine::Port port) {
    return rig.wafer->state(1, col).routes[static_cast<std::size_t>(port)][kW];
  };
  for (const bool apart : {false, true}) {
    SCOPED_TRACE(apart);
    if (apart) model(*rig.wafer).leave_lockstep();
    rig.reg(2, 6).go();
    for (int col = 0; col < kCols; ++col) {
      EXPECT_EQ(main_register(rig, 1, col, 1), 5);
      EXPECT_EQ(main_register(rig, 1, col, 2), 6);
      EXPECT_EQ(routes(col, machine::Port::W),
                col < kCols - 1 ? out(machine::Port::E) : out(machine::Port::W) | out(machine::Port::Ramp));
      EXPECT_EQ(routes(col, machine::Port::E),
                col == 0 ? out(machine::Port::Ramp) : out(machine::Port::W) | out(machine::Port::Ramp));
    }
  }
  rig.wafer->reset();
  rig.reg(3, 7).go();
  EXPECT_EQ(main_register(rig, 0, kCols - 1, 3), 7);
  EXPECT_EQ(routes(0, machine::Port::W), out(machine::Port::E) | out(machine::Port::Ramp));
}

TEST(Tiles, WThatTurnsAndMissesATileEndsStep) {
  constexpr int kW = 0;
  Rig rig({.rows = 1, .cols = 3, .sram_kib = 1});
  route(rig, kAll, kAll, kW, machine::Port::E, out(machine::Port::W));
  route(rig, kAll, 0, kW, machine::Port::E, out(machine::Port::Ramp));
  for (int col = 0; col < 2; ++col) route(rig, kAll, col, kW, machine::Port::W, out(machine::Port::E));
  route(rig, kAll, 2, kW, machine::Port::W, out(machine::Port::W) | out(machine::Port::Ramp));
  rig.go();
  EXPECT_FALSE(model(*rig.wafer).in_lockstep());
  rig.reg(1, 5).go();
  for (int col = 0; col < 3; ++col) EXPECT_EQ(main_register(rig, 0, col, 1), col == 1 ? 0 : 5);
}

TEST(Tiles, TwoEdgesThatMeetOnWAreRefused) {
  Rig rig({.rows = 2, .cols = 1, .sram_kib = 1});
  route(rig, 0, 0, 0, machine::Port::W, out(machine::Port::Ramp) | out(machine::Port::S));
  route(rig, 1, 0, 0, machine::Port::N, out(machine::Port::Ramp));
  rig.go();
  rig.reg(1, 1);
  EXPECT_TRUE(contains(failure(rig),
                       "row 1 column 0: on W messages of row 0 column 0's west edge wait when those of row 1 "
                       "column 0's west edge arrive"));
}

}  // namespace
}  // namespace weft::model
