/// Weights for all tiles, and data exchanged by the two threads of a tile.
#include <algorithm>

#include "sw/machine/gather.hpp"
#include "verif/random/plan.hpp"

namespace weft::random {

using isa::ASel;
using isa::Csr;
using isa::VsOp;

/// Adds vcr in main, and vs in psum.
void Plan::handoff_step() {
  Tile& t = any_tile();
  if (t.main_ended || t.psum_ended || t.state != Tile::State::Both) return;
  begin_step();
  for (int n = rng_.between(1, 3); n > 0; --n) {
    unsigned taken = 0;
    t.main.vl(t.main.longest = t.ps_beats);
    const int rd = t.main.with(static_cast<unsigned>(t.ps & 255), taken);
    const int rc = blocks_.entry(t.main, taken, &t.main_zone, t.ps_beats);
    t.main.frame({.op = isa::Opcode::Vcr, .rd = u8(rd), .rc = u8(rc)});
    take_sums(t);
  }
}

/// Makes psum take an entry of MP, and the buffer it refers to.
void Plan::take_sums(Tile& t) {
  unsigned taken = 0;
  t.psum.vl(t.psum.longest = t.ps_beats);
  isa::Instr in{.op = isa::Opcode::Vs,
                .vsop = static_cast<VsOp>(rng_.below(3)),
                .q = true,
                .cin = u8(rng_.below(32)),
                .cout = u8(rng_.below(32))};
  in.rc = u8(t.psum.with(static_cast<unsigned>(t.ps & 255), taken));
  blocks_.local(t.psum, in, taken, &t.psum_zone, t.ps_beats);
  t.psum.frame(in);
}

/// Makes main add the stream's weights in the next rotating buffer, and hand it over or leave it to the next stream.
void Plan::rotating_sums(Tile& t) {
  unsigned taken = 0;
  Code& c = t.main;
  c.vl(c.longest = t.ps_beats);
  const int mask = (1 << rng_.below(4)) - 1;
  const Zone::Vectors v = t.main_zone.vectors(rng_, std::min(t.ps_beats, t.main_zone.longest()), mask + 1);
  c.control(Csr::Lmask, static_cast<unsigned>(mask));
  c.control(Csr::Sta, v.stride);
  const int ra = c.with(v.address, taken), rd = c.with(static_cast<unsigned>(t.ps & 255), taken);
  const bool put = rng_.chance(80), interleave = rng_.chance(40);
  if (interleave) blocks_.interleaved(c, taken, t.ps_beats, false);
  c.frame({.op = isa::Opcode::Vaxs,
           .rd = u8(rd),
           .ra = u8(ra),
           .asel = rng_.any({ASel::M, ASel::M, ASel::OH}),
           .rotate = true,
           .put = put,
           .interleave = interleave});
  if (put) take_sums(t);
}

// ------------------------------------------------------------------------------------------------------------ weights

/// Sends weights for every row and the end of the stream, and adds instructions to all tiles that take them.
void Plan::weights_step() {
  if (std::ranges::any_of(tiles_, [](const Tile& t) { return t.main_ended; })) return;
  for (Tile& t : tiles_)
    if (t.state == Tile::State::Psum && t.psum_ended) return;
  begin_step();
  const machine::WaferShape& shape = case_.shape;
  const int shift = shape.row_shift();
  std::vector<int> counts(static_cast<std::size_t>(shape.rows));
  for (int& n : counts) n = alike_ ? counts[0] : 0;
  const int same = rng_.weighted({3, 2, 2, 1}) == 0 ? rng_.below(8)
                   : rng_.chance(60)                ? rng_.between(12, 36)
                                                    : rng_.any({0, 16, 32});
  std::vector<int> left;
  for (int row = 0; row < shape.rows; ++row) {
    counts[static_cast<std::size_t>(row)] = alike_ || rng_.chance(40) ? same : rng_.below(20);
    for (int n = 0; n < counts[static_cast<std::size_t>(row)]; ++n) left.push_back(row);
  }
  for (std::size_t i = left.size(); i > 1; --i)
    std::swap(left[i - 1], left[static_cast<std::size_t>(rng_.below(static_cast<int>(i)))]);
  for (const int row : left) {
    const int own = shift == 16 ? 65536 : 1 << shift;
    const int low = rng_.chance(60) ? rng_.below(std::min(own, 16)) : rng_.below(own);
    send(machine::Message::weight(static_cast<std::uint16_t>((shift == 16 ? 0 : row << shift) | low), any_bf16(rng_)));
  }
  const int code = rng_.chance(90) ? 0 : rng_.below(256);
  command(static_cast<machine::Command>(code), rng_.below(256), code ? blocks_.number() : 0);

  const int color = chain_color();
  for (Tile& t : tiles_)
    if (t.state == Tile::State::Psum) close(t);
  std::vector<bool> reduces(static_cast<std::size_t>(shape.rows));  // [row], reduced by vr
  for (int row = 0; row < shape.rows; ++row)
    reduces[static_cast<std::size_t>(row)] = rng_.chance(30) && row_can_reduce(row, color);
  if (alike_ && std::ranges::find(reduces, false) != reduces.end()) reduces.assign(reduces.size(), false);
  for (int row = 0; row < shape.rows; ++row)
    if (reduces[static_cast<std::size_t>(row)]) claim(*routes_.from(color, row * shape.cols));
  // Tiles of a row use the same group size: a tile that holds fewer indices would block the stream of the others.
  std::vector<int> most(static_cast<std::size_t>(shape.rows));
  for (int& m : most) m = rng_.chance(50) ? 0 : rng_.chance(70) ? 8 + rng_.below(8) : rng_.below(65536);
  for (Tile& t : tiles_) {
    const auto row = static_cast<std::size_t>(t.index / shape.cols);
    if (reduces[row] && open(t, true))
      dot(t, counts[row], most[row], routes_.from(color, t.index));
    else if (rng_.chance(45) && t.state == Tile::State::Both && !t.psum_ended)
      dot(t, counts[row], most[row], nullptr);
    else if (rng_.chance(50) && t.state == Tile::State::Both && !t.psum_ended)
      rotating_sums(t);
    else
      blocks_.vaxs(t.main, main_zone(t));
  }
}

/// Checks that all tiles of the row can provide dy and reduce the result, and that their queues are empty.
bool Plan::row_can_reduce(int row, int color) {
  if (color < 0 || !row_can_chain(row, color)) return false;
  for (const Tile& t : tiles_)
    if ((alike_ || t.index / case_.shape.cols == row) && (t.psum_ended || t.mp > 0 || t.pm > 0)) return false;
  return true;
}

/// Makes psum provide dy, main take the stream, and psum take the slots: along the row, or group by group.
void Plan::dot(Tile& t, int indices, int most, const Tree* chain) {
  const int full = machine::full_group(static_cast<std::uint16_t>(most));
  const int groups = std::max(1, (indices + full - 1) / full);
  unsigned taken = 0;
  if (t.pm < 2) {
    t.psum.vl(t.psum.longest = t.dy_beats);
    const int rd = t.psum.with(static_cast<unsigned>(t.dy), taken);
    const int ra = blocks_.address(t.psum, taken, &t.psum_zone, t.dy_beats);
    t.psum.frame({.op = isa::Opcode::Vb, .rd = u8(rd), .ra = u8(ra)});
    ++t.pm;
  }
  taken = 0;
  Code& c = t.main;
  c.vl(c.longest = t.dy_beats);
  const int mask = (1 << rng_.below(4)) - 1;
  const Zone::Vectors v = t.main_zone.vectors(rng_, std::min(t.dy_beats, t.main_zone.longest()), mask + 1);
  c.control(Csr::Lmask, static_cast<unsigned>(mask));
  c.control(Csr::Sta, v.stride);
  const int ra = c.with(v.address, taken), rb = c.with(static_cast<unsigned>(t.dy), taken);
  const int rd = c.with(static_cast<unsigned>(t.slots & 255), taken);
  const int rc = most == 0 ? 0 : c.with(static_cast<unsigned>(most), taken);
  c.frame({.op = isa::Opcode::Vdot,
           .rd = u8(rd),
           .ra = u8(ra),
           .rb = u8(rb),
           .asel = rng_.any({ASel::M, ASel::M, ASel::OH}),
           .rc = u8(rc)});
  --t.pm;
  Code& p = t.psum;
  taken = 0;
  if (chain) {
    const int rc = p.with(static_cast<unsigned>(t.slots & 255), taken);
    p.frame({.op = isa::Opcode::Vr, .rc = u8(rc), .cin = u8(chain->color), .cout = u8(chain->color)});
    // The contents of the slots are undefined after vr, so psum overwrites them. Main does not use them before psum
    // provides the next dy (t.pm is 0).
    p.vl(p.longest = 48);
    taken = 0;
    const int to = p.with(static_cast<unsigned>(t.slots & 255), taken);
    const int from = p.with(t.psum_zone.entry(rng_, 48), taken);
    p.frame({.op = isa::Opcode::Vs, .rd = u8(to), .rc = u8(from), .vsop = VsOp::Mov, .d = isa::VsD::R});
    return;
  }
  for (int g = 0; g < groups; ++g) {
    taken = 0;
    p.vl(p.longest = 16);
    isa::Instr in{.op = isa::Opcode::Vs,
                  .vsop = static_cast<VsOp>(rng_.below(3)),
                  .q = true,
                  .cin = u8(rng_.below(32)),
                  .cout = u8(rng_.below(32))};
    in.rc = u8(p.with(static_cast<unsigned>(t.slots & 255), taken));
    blocks_.local(p, in, taken, &t.psum_zone, 16);
    p.frame(in);
  }
}

}  // namespace weft::random
