/// Properties that depend on a tile's place: permitted routes, its column, the end of a row. In lockstep and tile by
/// tile.
#include "tests/model/contract.hpp"

namespace weft::model {
namespace {

constexpr machine::WaferShape kTile{.rows = 1, .cols = 1, .sram_kib = 1};

TEST(Contract, RoutesThatARouterCannotHave) {
  const auto route = [](int color, int port, int outputs) { return color << 11 | port << 8 | outputs; };
  const struct {
    int row, value;
    std::string flags;
  } cases[] = {
      {machine::Selection::kAll, route(5, 0, 1), rows("BAD_COLOR")},  // takes precedence over a bad port
      {machine::Selection::kAll, route(31, 7, 0), rows("BAD_COLOR")},
      {machine::Selection::kAll, route(1, 5, 0), rows("BAD_ROUTE")},
      {machine::Selection::kAll, route(1, 0, 0x30), rows("BAD_ROUTE")},
      {machine::Selection::kAll, route(1, 4, 1), "row 0 BAD_ROUTE"},   // north of row 0
      {machine::Selection::kAll, route(1, 4, 12), "row 1 BAD_ROUTE"},  // south of the last one
      {0, route(1, 4, 12), ""},
      {machine::Selection::kAll, route(1, 4, 8), ""},  // west, to the outlet
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.value);
    in_both(kShape, [&](Rig& rig) {
      rig.go();
      const auto before = rig.wafer->state(0, 0).routes;
      rig.select_row(c.row).command(machine::Command::Route, 0, c.value).go();
      EXPECT_EQ(rig.wafer->flags(), c.flags);
      const bool done = c.flags.find("row 0") == std::string::npos;
      EXPECT_EQ(rig.wafer->state(0, 0).routes != before, done);
      if (done) {
        EXPECT_EQ(rig.wafer->state(0, 0).routes[4][1], c.value & 31);
      }
    });
  }
  Rig east(kShape);  // an error in the last column only ends lockstep
  east.command(machine::Command::Route, 0, route(1, 4, 2)).go();
  EXPECT_EQ(east.wafer->flags(), "row 0 column 2 BAD_ROUTE, row 1 column 2 BAD_ROUTE");
  EXPECT_EQ(east.wafer->state(1, 1).routes[4][1], 2);
  EXPECT_EQ(east.wafer->state(1, 2).routes[4][1], 1);  // north, unchanged
}

TEST(Contract, TheWaferHasColumns) {
  in_both(kShape, [](Rig& rig) {
    rig.load("main: csrr r1, COLS\nhalt").call("main").go();
    EXPECT_EQ(rig.wafer->state(1, 2).main.registers[1], 3);
  });
  Rig rig(kShape);
  rig.load("main: csrr r1, COL\nhalt").call("main").go();
  for (int col = 0; col < 3; ++col) EXPECT_EQ(rig.wafer->state(1, col).main.registers[1], col);
  EXPECT_FALSE(model(*rig.wafer).in_lockstep());
}

TEST(Contract, OnlyRcvFindsAZeroAtTheEndOfWest) {
  in_both(kTile, [](Rig& rig) {
    rig.load("main: fork p\njoin\nhalt\np: rcv r1, WEST\nsnd WEST, r1\nhalt").call("main").go();
    EXPECT_EQ(rig.wafer->outlet(0), std::vector<std::uint32_t>{0});
  });
  Rig rig(kTile);
  rig.load("main: fork p\njoin\nhalt\np: li r1, 1\ncsrw VL, r1\nvs.mov in=WEST\nhalt").call("main");
  EXPECT_THROW(rig.go(), WaferHang);
}

}  // namespace
}  // namespace weft::model
