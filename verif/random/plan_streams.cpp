/// Steps in which words travel between tiles.
#include <algorithm>

#include "verif/random/plan.hpp"

namespace weft::random {

using isa::VsOp;

/// Checks that each outlet of the tree delivers one sender's words between two waits of the host, and that no tile of
/// the tree has ended.
bool Plan::can_stream(const Tree& tree) {
  const int who = tree.sender * 32 + tree.color;
  for (const int row : tree.outlets)
    if (const int of = outlet_of_[static_cast<std::size_t>(row)]; of != -1 && of != who) return false;
  const auto ended = [&](int tile) {
    const Tile& t = tiles_[alike_ ? 0 : static_cast<std::size_t>(tile)];
    return t.psum_ended || (t.main_ended && t.state == Tile::State::Main);
  };
  return !ended(tree.sender) && std::ranges::none_of(tree.receivers, ended);
}

void Plan::claim(const Tree& tree) {
  for (const int row : tree.outlets) outlet_of_[static_cast<std::size_t>(row)] = tree.sender * 32 + tree.color;
}

/// Number of words to send; small if the sender also receives them.
int Plan::words(const Tree& tree) {
  if (std::ranges::find(tree.receivers, tree.sender) != tree.receivers.end()) return rng_.between(1, depth_);
  return rng_.weighted({6, 3, 1}) == 0 ? rng_.between(1, 12) : rng_.between(1, rng_.chance(70) ? 60 : 200);
}

/// Emits code that moves n words from color `from` to color `to`; -1: memory instead of a color.
void Plan::stream_words(Tile& t, int from, int to, int n) {
  Code& c = t.psum;
  const int lanes = case_.shape.lanes;
  const Zone* zone = psum_zone(t);
  const auto color = [&](int of) { return u8(of >= 0 ? of : rng_.below(32)); };
  while (n > 0) {
    unsigned taken = 0;
    const int entries = std::min(n / lanes, zone ? zone->longest() : 60);
    const int pairs = std::min(n / (lanes / 2), zone ? zone->longest() / 2 : 60);
    switch (rng_.weighted({3, entries ? 6 : 0, pairs && t.pm < 2 ? 3 : 0})) {
      case 0:
        n -= one_by_one(c, from, to, n);
        break;
      case 1: {
        const int beats = rng_.between(1, entries);
        c.vl(c.longest = beats);
        isa::Instr in{.op = isa::Opcode::Vs,
                      .in = from >= 0,
                      .vsop = static_cast<VsOp>(rng_.below(3)),
                      .out = to >= 0,
                      .cin = color(from),
                      .cout = color(to)};
        blocks_.local(c, in, taken, zone, beats);
        c.frame(in);
        n -= beats * lanes;
        break;
      }
      default: {
        const int beats = rng_.between(1, zone ? std::max(1, std::min(pairs, zone->longest() / 2)) : pairs);
        c.vl(c.longest = beats);
        const int ra = from >= 0 ? rng_.below(16) : blocks_.address(c, taken, zone, beats);
        const int rd = blocks_.address(c, taken, zone, 2 * beats);
        c.frame({.op = isa::Opcode::Vb,
                 .rd = u8(rd),
                 .ra = u8(ra),
                 .in = from >= 0,
                 .out = to >= 0,
                 .cin = color(from),
                 .cout = color(to)});
        ++t.pm;
        n -= beats * lanes / 2;
      }
    }
  }
}

/// Moves up to n words by rcv and snd, in a loop or one word only. Returns the number of words.
int Plan::one_by_one(Code& c, int from, int to, int n) {
  const int turns = rng_.chance(50) && c.depth == 0 ? rng_.between(1, n) : 1;
  const auto body = [&] {
    int r = rng_.below(16);
    if (from >= 0) {
      r = rng_.chance(10) ? 0 : c.free_register();
      c.frame({.op = isa::Opcode::Rcv, .rd = u8(r), .color = u8(from)});
    }
    if (rng_.chance(45))
      c.frame({.op = isa::Opcode::Addi, .rd = u8(c.free_register()), .ra = u8(r), .imm = blocks_.number()});
    if (to >= 0) c.frame({.op = isa::Opcode::Snd, .ra = u8(r), .color = u8(to)});
  };
  turns > 1 ? c.loop(turns, body) : body();
  return turns;
}

void Plan::stream_step() {
  if (alike_) {  // every tile sends to the next row, and takes the words of the previous row
    if (case_.shape.colors < 2 || routes_.outputs[1][0][4] == 0) return;
    Tile& t = tiles_[0];
    begin_step();
    if (t.psum_ended || !open(t)) return;
    const int n = rng_.between(1, depth_);
    stream_words(t, -1, 1, n);
    stream_words(t, 1, -1, n);
    return;
  }
  if (routes_.trees.empty()) return;
  const Tree& tree = routes_.trees[static_cast<std::size_t>(rng_.below(static_cast<int>(routes_.trees.size())))];
  if (!can_stream(tree)) return;
  begin_step();
  claim(tree);
  open(tiles_[static_cast<std::size_t>(tree.sender)]);
  for (const int tile : tree.receivers) open(tiles_[static_cast<std::size_t>(tile)]);
  const int n = words(tree);
  stream_words(tiles_[static_cast<std::size_t>(tree.sender)], -1, tree.color, n);
  for (const int tile : tree.receivers) stream_words(tiles_[static_cast<std::size_t>(tile)], tree.color, -1, n);
}

void Plan::forward_step() {
  if (alike_ || routes_.trees.empty()) return;
  const auto any_tree = [&]() -> const Tree& {
    return routes_.trees[static_cast<std::size_t>(rng_.below(static_cast<int>(routes_.trees.size())))];
  };
  const Tree& first = any_tree();
  const Tree& second = any_tree();
  const auto has = [](const std::vector<int>& in, int tile) { return std::ranges::find(in, tile) != in.end(); };
  if (!has(first.receivers, second.sender) || has(first.receivers, first.sender)) return;
  if (first.color == second.color || has(second.receivers, first.sender)) return;
  for (const int tile : first.receivers)
    if (has(second.receivers, tile)) return;
  for (const int row : first.outlets)
    if (has(second.outlets, row)) return;
  if (!can_stream(first) || !can_stream(second)) return;
  begin_step();
  claim(first);
  claim(second);
  open(tiles_[static_cast<std::size_t>(first.sender)]);
  for (const int tile : first.receivers) open(tiles_[static_cast<std::size_t>(tile)]);
  for (const int tile : second.receivers) open(tiles_[static_cast<std::size_t>(tile)]);
  const int n = words(first);
  stream_words(tiles_[static_cast<std::size_t>(first.sender)], -1, first.color, n);
  for (const int tile : first.receivers) {
    Tile& t = tiles_[static_cast<std::size_t>(tile)];
    if (tile == second.sender)
      stream_words(t, first.color, second.color, n);
    else
      stream_words(t, first.color, -1, n);
  }
  for (const int tile : second.receivers) stream_words(tiles_[static_cast<std::size_t>(tile)], second.color, -1, n);
}

void Plan::lost_step() {
  Tile& t = any_tile();
  const int color = rng_.below(case_.shape.colors);
  if (alike_ || color == 0) return;
  if (routes_.outputs[static_cast<std::size_t>(color)][static_cast<std::size_t>(t.index)][4] != 0) return;
  begin_step();
  if (open(t)) stream_words(t, -1, color, rng_.between(1, 20));
}

}  // namespace weft::random
