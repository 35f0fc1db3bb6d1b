/// Steps along a row.
#include <algorithm>

#include "verif/random/plan.hpp"

namespace weft::random {

using isa::VsOp;

int Plan::chain_color() {
  for (int n = 0, color = rng_.below(case_.shape.colors); n < case_.shape.colors;
       ++n, color = (color + 1) % case_.shape.colors)
    if (routes_.roles[static_cast<std::size_t>(color)] == Role::Chain) return color;
  return -1;
}

/// All tiles of the row can take part in a step along it.
bool Plan::row_can_chain(int row, int color) {
  const int cols = case_.shape.cols;
  for (int col = 0; col < cols; ++col)
    if (!can_stream(*routes_.from(color, row * cols + col))) return false;
  return true;
}

/// Adds a gather, or a sum from east to west.
void Plan::row_step() {
  const int color = chain_color(), row = rng_.below(case_.shape.rows), cols = case_.shape.cols;
  if (color < 0) return;
  const int first = alike_ ? 0 : row * cols, last = alike_ ? 0 : first + cols - 1;
  for (int r = 0; r < case_.shape.rows; ++r)
    if ((alike_ || r == row) && !row_can_chain(r, color)) return;
  begin_step();
  for (int r = 0; r < case_.shape.rows; ++r)
    if (alike_ || r == row) claim(*routes_.from(color, r * cols));
  for (int i = first; i <= last; ++i) open(tiles_[static_cast<std::size_t>(i)]);
  const int lanes = case_.shape.lanes;
  if (rng_.chance(60)) {
    const int beats = rng_.between(1, 6);
    for (int i = first; i <= last; ++i) {
      Tile& t = tiles_[static_cast<std::size_t>(i)];
      unsigned taken = 0;
      t.psum.vl(t.psum.longest = beats);
      isa::Instr in{.op = isa::Opcode::Vs,
                    .vsop = static_cast<VsOp>(rng_.below(3)),
                    .out = true,
                    .gather = true,
                    .cin = u8(color),
                    .cout = u8(color)};
      in.q = t.mp > 0 && t.state == Tile::State::Psum;
      t.mp -= in.q;
      in.rc = u8(blocks_.entry(t.psum, taken, psum_zone(t), in.q ? beats : beats));
      t.psum.frame(in);
    }
  } else if (alike_) {  // each tile passes on what rcv takes, which is 0 at the end
    if (color != 3) return;
    Code& c = tiles_[0].psum;
    const int r = c.free_register();
    c.frame({.op = isa::Opcode::Rcv, .rd = u8(r), .color = 3});
    if (rng_.chance(50)) c.frame({.op = isa::Opcode::Addi, .rd = u8(r), .ra = u8(r), .imm = blocks_.number()});
    c.frame({.op = isa::Opcode::Snd, .ra = u8(r), .color = 3});
  } else {
    const int n = rng_.between(1, 8) * lanes;
    for (int i = last; i >= first; --i) {
      Tile& t = tiles_[static_cast<std::size_t>(i)];
      if (i == last && color == 3 && rng_.chance(30))  // the last tile of WEST receives zeros without a sender
        for (int k = rng_.below(3); k > 0; --k)
          t.psum.frame({.op = isa::Opcode::Rcv, .rd = u8(t.psum.free_register()), .color = 3});
      i == last ? stream_words(t, -1, color, n) : stream_words(t, color, color, n);
    }
  }
}

}  // namespace weft::random
