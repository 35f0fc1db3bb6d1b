/// Tiles that exchange values with all their neighbors, step by step.
#include "tests/model/tiles.hpp"
#include "tests/random.hpp"

namespace weft::model {
namespace {

/// One value per tile; in each step it becomes the sum of itself and its neighbors.
class Stencil {
 public:
  Stencil(int rows, int cols) : rows_(rows), cols_(cols), values_(static_cast<std::size_t>(rows * cols)) {}
  std::uint16_t& at(int row, int col) { return values_[static_cast<std::size_t>(row * cols_ + col)]; }
  std::uint16_t get(int row, int col) const {
    return row < 0 || row >= rows_ || col < 0 || col >= cols_ ? 0
                                                              : values_[static_cast<std::size_t>(row * cols_ + col)];
  }
  void step() {
    const Stencil old = *this;
    for (int row = 0; row < rows_; ++row)
      for (int col = 0; col < cols_; ++col)
        at(row, col) = static_cast<std::uint16_t>(old.get(row, col) + old.get(row - 1, col) + old.get(row + 1, col) +
                                                  old.get(row, col - 1) + old.get(row, col + 1));
  }

 private:
  int rows_, cols_;
  std::vector<std::uint16_t> values_;
};

TEST(Tiles, AStencilTalksToAllNeighbours) {
  constexpr machine::WaferShape kShape{.rows = 3, .cols = 4, .sram_kib = 1, .colors = 8};
  constexpr int kSteps = 9;
  const struct {
    int color;
    machine::Port to, from;
    int row, col;  // step
  } ways[] = {{4, machine::Port::E, machine::Port::W, 0, 1},
              {5, machine::Port::W, machine::Port::E, 0, -1},
              {6, machine::Port::N, machine::Port::S, -1, 0},
              {7, machine::Port::S, machine::Port::N, 1, 0}};
  test::Rng rng(test::test_seed());
  Stencil plain(kShape.rows, kShape.cols);
  Rig rig(kShape);
  for (int row = 0; row < kShape.rows; ++row)
    for (int col = 0; col < kShape.cols; ++col) {
      const auto exists = [&](int r, int c) { return r >= 0 && r < kShape.rows && c >= 0 && c < kShape.cols; };
      for (const auto& way : ways) {
        if (exists(row + way.row, col + way.col)) route(rig, row, col, way.color, machine::Port::Ramp, out(way.to));
        if (exists(row - way.row, col - way.col)) route(rig, row, col, way.color, way.from, out(machine::Port::Ramp));
      }
      plain.at(row, col) = static_cast<std::uint16_t>(rng.next());
      rig.store(row, col, 0, {plain.at(row, col)});
    }
  rig.load(R"(
main:   mvp  r2, r1
        fork p
        join
        halt
p:      ld   r1, r0, 0
        csrr r5, COL            ; a neighbour is there: west, east, north, south
        csrr r6, COLS
        sub  r6, r6, r5
        addi r6, r6, 0xffff
        csrr r7, ROW
        csrr r8, ROWS
        sub  r8, r8, r7
        addi r8, r8, 0xffff
step:   beq  r6, r0, s1
        snd  4, r1
s1:     beq  r5, r0, s2
        snd  5, r1
s2:     beq  r7, r0, s3
        snd  6, r1
s3:     beq  r8, r0, s4
        snd  7, r1
s4:     beq  r5, r0, t1
        rcv  r10, 4
        add  r1, r1, r10
t1:     beq  r6, r0, t2
        rcv  r10, 5
        add  r1, r1, r10
t2:     beq  r8, r0, t3
        rcv  r10, 6
        add  r1, r1, r10
t3:     beq  r7, r0, t4
        rcv  r10, 7
        add  r1, r1, r10
t4:     dbnz r2, step
        halt)");
  rig.reg(1, kSteps).call("main").go(7);
  for (int n = 0; n < kSteps; ++n) plain.step();
  for (int row = 0; row < kShape.rows; ++row)
    for (int col = 0; col < kShape.cols; ++col)
      EXPECT_EQ(psum_register(rig, row, col, 1), plain.get(row, col)) << row << " " << col;
  EXPECT_EQ(rig.wafer->flags(), "");
}

}  // namespace
}  // namespace weft::model
