/// Broadcast trees: a message reaches the tiles on its routes, and no others.
#include "tests/model/tiles.hpp"

namespace weft::model {
namespace {

TEST(Tiles, ATreeThatTurnsReachesAll) {
  // The tree runs from one tile along its row, and from there north and south.
  constexpr machine::WaferShape kShape{.rows = 4, .cols = 5, .sram_kib = 1, .colors = 8};
  constexpr int kRow = 1, kCol = 2, kColor = 6;
  Rig rig(kShape);
  const int ramp = out(machine::Port::Ramp), both = out(machine::Port::N) | out(machine::Port::S);
  const auto inside = [&](int row, int col, int outputs) {  // without outputs that leave the wafer
    if (row == 0) outputs &= ~out(machine::Port::N);
    if (row == kShape.rows - 1) outputs &= ~out(machine::Port::S);
    if (col == 0) outputs &= ~out(machine::Port::W);
    return col == kShape.cols - 1 ? outputs & ~out(machine::Port::E) : outputs;
  };
  for (int row = 0; row < kShape.rows; ++row)
    for (int col = 0; col < kShape.cols; ++col) {
      const auto set = [&](machine::Port from, int to) { route(rig, row, col, kColor, from, inside(row, col, to)); };
      if (row < kRow) set(machine::Port::S, out(machine::Port::N) | ramp);
      if (row > kRow) set(machine::Port::N, out(machine::Port::S) | ramp);
      if (row == kRow && col > kCol) set(machine::Port::W, out(machine::Port::E) | both | ramp);
      if (row == kRow && col < kCol) set(machine::Port::E, out(machine::Port::W) | both | ramp);
      // including itself
      if (row == kRow && col == kCol)
        set(machine::Port::Ramp, out(machine::Port::E) | out(machine::Port::W) | both | ramp);
    }
  std::vector<std::uint16_t> memory;
  for (int e = 0; e < 9; ++e) memory.push_back(static_cast<std::uint16_t>(0x4000 + e));
  rig.store(kRow, kCol, 0, memory);
  rig.load(R"(
main:   fork p
        join
        halt
p:      li   r3, 2
        csrw VL, r3
        li   r4, 32
        li   r5, 64
        li   r1, 1
        csrr r2, ROW
        bne  r1, r2, take
        li   r1, 2
        csrr r2, COL
        bne  r1, r2, take
        ld   r1, r0, 8
        snd  6, r1
        vb   src=M[r0], out=6, dst=M[r5]
take:   rcv  r1, 6
        vb   in=6, dst=M[r4]
        halt)");
  rig.call("main").go();
  for (int row = 0; row < kShape.rows; ++row)
    for (int col = 0; col < kShape.cols; ++col) {
      EXPECT_EQ(psum_register(rig, row, col, 1), memory[8]);
      const bool sender = row == kRow && col == kCol;  // the sender's second vb has the other parity
      const auto m = rig.wafer->sram(row, col);
      for (std::size_t e = 0; e < 8; ++e) EXPECT_EQ(m[(sender ? 40 : 32) + e], memory[e]) << row << " " << col;
    }
  EXPECT_EQ(rig.wafer->flags(), "");
}

TEST(Tiles, AMessageEndsWhereThereIsNoRoute) {
  Rig rig({.rows = 1, .cols = 4, .sram_kib = 1, .colors = 5});
  route(rig, 0, 0, 4, machine::Port::Ramp, out(machine::Port::E));
  route(rig, 0, 1, 4, machine::Port::W, out(machine::Port::E) | out(machine::Port::Ramp));
  rig.load(
      "main: fork p\njoin\nhalt\np: csrr r1, COL\nbne r1, r0, take\nli r1, 7\nsnd 4, r1\nhalt\n"
      "take: li r2, 1\nbne r1, r2, end\nrcv r3, 4\nend: halt");
  rig.call("main").go();
  EXPECT_EQ(psum_register(rig, 0, 1, 3), 7);
  EXPECT_EQ(rig.wafer->flags(), "row 0 column 2 NO_ROUTE");
}

}  // namespace
}  // namespace weft::model
