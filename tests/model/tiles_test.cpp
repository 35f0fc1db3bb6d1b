/// Programs that lockstep rows cannot run: a different one per tile, or one with different values per tile.
#include "tests/model/tiles.hpp"

namespace weft::model {
namespace {

TEST(Tiles, EachHasAProgramOfItsOwn) {
  Rig rig({.rows = 2, .cols = 3, .sram_kib = 1});
  for (int row = 0; row < 2; ++row)
    for (int col = 0; col < 3; ++col) {
      rig.select(row, col).load("main: li r1, " + std::to_string(10 * row + col) + "\nhalt");
      rig.reg(2, row + col).call("main");
    }
  rig.go();
  for (int row = 0; row < 2; ++row)
    for (int col = 0; col < 3; ++col) {
      EXPECT_EQ(main_register(rig, row, col, 1), 10 * row + col);
      EXPECT_EQ(main_register(rig, row, col, 2), row + col);
    }
  EXPECT_FALSE(model(*rig.wafer).in_lockstep());
}

TEST(Tiles, BranchOnTheirOwnMemory) {
  Rig rig({.rows = 1, .cols = 4, .sram_kib = 1});
  for (int col = 0; col < 4; ++col) rig.store(0, col, 8, {static_cast<std::uint16_t>(3 * col)});
  rig.load("main: ld r1, r0, 8\nli r2, 0\nmore: beq r1, r0, end\naddi r2, r2, 7\ndbnz r1, more\nend: halt")
      .call("main");
  rig.go();
  for (int col = 0; col < 4; ++col) EXPECT_EQ(main_register(rig, 0, col, 2), 21 * col);
  EXPECT_EQ(rig.wafer->counters().beats, 4U);
}

TEST(Tiles, AddUpAlongTheRow) {
  // Rows are in lockstep while they send 0; then each tile adds its own value.
  Rig rig({.rows = 3, .cols = 5, .sram_kib = 1});
  rig.load(R"(
main:   fork p
        join
        halt
p:      csrr r1, ROW
        addi r1, r1, 100
        csrr r3, COL
        shl  r3, r3, 10
        add  r1, r1, r3
        rcv  r2, WEST
        add  r1, r1, r2
        snd  WEST, r1
        halt)");
  rig.call("main").go();
  for (int row = 0; row < 3; ++row)
    EXPECT_EQ(rig.wafer->outlet(row), std::vector<std::uint32_t>{5u * (100 + row) + (10 << 10)});
}

TEST(Tiles, CountColumnsThoughNoneKnowsItsOwn) {
  Rig rig({.rows = 2, .cols = 5, .sram_kib = 1});  // rcv cannot give 0 in all columns
  rig.load("main: fork p\njoin\nhalt\np: rcv r1, WEST\naddi r1, r1, 1\nsnd WEST, r1\nhalt").call("main").go();
  EXPECT_EQ(rig.wafer->outlet(1), std::vector<std::uint32_t>{5});
  for (int col = 0; col < 5; ++col) EXPECT_EQ(psum_register(rig, 0, col, 1), 5 - col);
}

TEST(Tiles, SendWestWithoutATakenWord) {
  Rig rig({.rows = 2, .cols = 3, .sram_kib = 1});
  rig.load("main: fork p\njoin\nhalt\np: snd WEST, r0\nli r1, 9\nsnd WEST, r1\nrcv r2, WEST\nrcv r2, WEST\nhalt");
  rig.call("main").go();
  EXPECT_EQ(rig.wafer->outlet(1), (std::vector<std::uint32_t>{0, 9}));
  for (int col = 0; col < 3; ++col) EXPECT_EQ(psum_register(rig, 0, col, 2), col < 2 ? 9 : 0);
}

TEST(Tiles, TakeWordsThatDiffer) {
  // The columns of row 1 send different values; a rcv of row 0 is the first instruction that cannot run in lockstep.
  Rig rig({.rows = 2, .cols = 3, .sram_kib = 1});
  for (int col = 0; col < 3; ++col) rig.store(1, col, 0, {static_cast<std::uint16_t>(col + 40), 0, 7, 0});
  rig.load(
      "main: fork p\njoin\nhalt\np: csrr r1, ROW\nbne r1, r0, send\nrcv r2, RING\nrcv r3, RING\nhalt\n"
      "send: li r1, 1\ncsrw VL, r1\nvb src=M[r0], out=RING, dst=M[r0]\nhalt");
  rig.call("main").go();
  for (int col = 0; col < 3; ++col) {
    EXPECT_EQ(psum_register(rig, 0, col, 2), col + 40);
    EXPECT_EQ(psum_register(rig, 0, col, 3), 7);
  }
}

}  // namespace
}  // namespace weft::model
