#include "verif/random/plan.hpp"

#include <algorithm>

namespace weft::random {

namespace {

constexpr int kMostCalls = 8, kMostLines = 780;

}  // namespace

Plan::Plan(Case& c, Rng& rng, bool alike, int depth)
    : case_(c),
      rng_(rng),
      alike_(alike),
      depth_(depth),
      blocks_(rng, case_.shape),
      outlet_of_(static_cast<std::size_t>(case_.shape.rows), -1) {
  case_.base = rng_.chance(50) ? 0 : rng_.below(machine::WaferShape::kIDepth);
  const int count = alike ? 1 : c.shape.rows * c.shape.cols;
  for (int i = 0; i < count; ++i) {
    tiles_.emplace_back(rng_, i);
    lay_out(tiles_.back());
  }
}

/// Assigns memory to the threads for the time while both run.
void Plan::lay_out(Tile& t) {
  const int lanes = case_.shape.lanes, elements = case_.shape.sram_elements(), words = elements / lanes;
  const int first = rng_.below(256), main_words = rng_.between(words / 4, words * 3 / 4);
  const int main_entries = rng_.between(40, 90), psum_entries = rng_.between(48, 60);
  t.main_zone = {lanes, elements, 0, main_words * lanes, first, main_entries};
  t.dy = main_words * lanes;
  t.dy_beats = rng_.between(1, std::clamp(words / 16, 1, 10));
  const int psum_first = main_words + 2 * t.dy_beats;
  t.psum_zone = {lanes, elements, psum_first * lanes, (words - psum_first) * lanes, first + main_entries, psum_entries};
  t.main_zone.general = t.psum_zone.general = case_.shape.general;
  t.ps = first + main_entries + psum_entries;
  t.ps_beats = rng_.chance(15) ? 16 : rng_.between(1, 12);  // 16: numbered weights, whose number is any of 16
  t.slots = t.ps + 3 * t.ps_beats;
}

void Plan::begin_step() {
  unit_ = case_.units++;
  for (Tile& t : tiles_) t.main.unit = t.psum.unit = unit_;
}

bool Plan::full() const {
  return calls_ >= kMostCalls || std::ranges::any_of(tiles_, [](const Tile& t) { return t.size() > kMostLines; });
}

// ------------------------------------------------------------------------------------------------------------ threads

bool Plan::open(Tile& t, bool both) {
  if (t.psum_ended) return false;
  if (t.state != Tile::State::Main) return true;
  if (t.main_ended) return false;
  const int unit = t.main.unit;
  for (int n = rng_.below(3); n > 0; --n) {
    t.main.alone = true;
    t.main.emit({.op = isa::Opcode::Mvp, .rd = u8(rng_.below(16)), .ra = u8(rng_.below(16))});
    t.main.alone = false;
  }
  t.main.unit = kFrame;
  t.main.jump({.op = isa::Opcode::Fork}, Tile::kPsum + t.psum.here());
  t.state = !both && rng_.chance(40) ? Tile::State::Psum : Tile::State::Both;
  if (t.state == Tile::State::Psum && rng_.chance(50)) t.main.frame({.op = isa::Opcode::Join});
  t.main.unit = unit;
  return true;
}

void Plan::close(Tile& t) {
  const int unit = t.main.unit;
  t.main.unit = t.psum.unit = kFrame;
  if (!t.psum_ended) t.psum.frame({.op = isa::Opcode::Halt});
  t.main.frame({.op = isa::Opcode::Join});
  t.main.unit = t.psum.unit = unit;
  t.state = Tile::State::Main;
}

void Plan::change_state() {
  Tile& t = any_tile();
  if (t.main_ended || t.psum_ended) return;
  begin_step();
  if (t.state == Tile::State::Main)
    open(t);
  else
    close(t);
}

void Plan::private_step() {
  Tile& t = any_tile();
  begin_step();
  const bool main = t.state == Tile::State::Main || (t.state == Tile::State::Both && rng_.chance(50));
  if (main ? t.main_ended : t.psum_ended) return;
  Code& c = main ? t.main : t.psum;
  const Zone* zone = main ? main_zone(t) : psum_zone(t);
  const int kind = rng_.below(10);
  if (!main && kind < 5) {
    bool took = false;
    if (blocks_.alone(c, zone, t.mp > 0, t.pm < 2, took)) ++t.pm;
    t.mp -= took;
    return;
  }
  if (main && !zone && kind < 1 && t.mp < 2) {  // a vcr for no consumer, or for a later vs
    unsigned taken = 0;
    const int n = blocks_.beats(c, 60);
    c.vl(c.longest = n);
    const int rd = blocks_.entry(c, taken, zone, 3 * n), rc = blocks_.entry(c, taken, zone, n);
    c.frame({.op = isa::Opcode::Vcr, .rd = u8(rd), .rc = u8(rc)});
    ++t.mp;
    return;
  }
  if (main && kind < 3) return blocks_.vector(c, zone);
  blocks_.anything(c, main, zone, rng_.between(3, 16));
}

void Plan::illegal_step() {
  Tile& t = any_tile();
  begin_step();
  const bool main = t.state == Tile::State::Main || rng_.chance(50);
  if (main ? t.main_ended : t.psum_ended) return;
  (main ? t.main_ended : t.psum_ended) = true;
  (main ? t.main : t.psum).unit = kFrame;
  blocks_.illegal(main ? t.main : t.psum, main);
  if (main && t.state == Tile::State::Psum) t.state = Tile::State::Both;
}

/// Assembles the table of calls, main's code and psum's code. full() prevents programs that do not fit.
void Plan::finish() {
  const int tiles = alike_ ? 1 : case_.shape.rows * case_.shape.cols;
  for (int i = 0; i < tiles; ++i) {
    const auto at = static_cast<std::size_t>(i);
    Tile& t = tiles_[at];
    Program& p = case_.programs.emplace_back();
    const int main_first = calls_, psum_first = calls_ + t.main.here();
    for (const auto& lines : mains_)
      p.push_back({isa::encode({.op = isa::Opcode::Jal}), main_first + lines[at], kFrame, false});
    for (Line line : t.main.lines) {
      if (line.target != Line::kNone)
        line.target = line.target >= Tile::kPsum ? line.target - Tile::kPsum + psum_first : line.target + main_first;
      p.push_back(line);
    }
    for (Line line : t.psum.lines) {
      if (line.target != Line::kNone) line.target += psum_first;
      p.push_back(line);
    }
  }
}

}  // namespace weft::random
