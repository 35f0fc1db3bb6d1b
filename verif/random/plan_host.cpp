/// Actions of the host between steps.
#include <algorithm>

#include "verif/random/plan.hpp"

namespace weft::random {

void Plan::fill_memories(int chunks) {
  const int elements = case_.shape.sram_elements();
  for (int n = 0; n < chunks; ++n) {
    begin_step();
    if (alike_ || rng_.chance(50))
      select({.row = rng_.chance(80) ? machine::Selection::kAll : rng_.below(case_.shape.rows)});
    else
      select({rng_.below(case_.shape.rows), rng_.below(case_.shape.cols)});
    const int length = rng_.chance(70) ? rng_.between(100, 300) : rng_.between(8, 60);
    command(machine::Command::Maddr, rng_.below(256),
            static_cast<unsigned>(rng_.chance(90) ? rng_.below(elements) : -rng_.below(length)) & 0xffff);
    for (int i = 0; i < length; ++i)
      command(machine::Command::Mdata, rng_.below(256), rng_.chance(85) ? any_bf16(rng_) : blocks_.number());
    select({});
  }
  unit_ = kFrame;
}

void Plan::set_routes(const Routes& routes) {
  const machine::WaferShape& shape = case_.shape;
  begin_step();
  unit_ = kFrame;
  for (int tile = 0; tile < shape.rows * shape.cols; ++tile) {
    std::vector<unsigned> values;
    for (int color = 1; color < shape.colors; ++color)
      for (int port = 0; port < 5; ++port) {
        const auto at = static_cast<std::size_t>(tile), c = static_cast<std::size_t>(color),
                   p = static_cast<std::size_t>(port);
        const unsigned now = routes.outputs[c][at][p];
        const unsigned before = routes_.outputs.empty() ? 0 : routes_.outputs[c][at][p];
        if (now != before) values.push_back(static_cast<unsigned>(color << 11 | port << 8) | now);
      }
    if (values.empty()) continue;
    select({tile / shape.cols, tile % shape.cols});
    for (const unsigned value : values) command(machine::Command::Route, rng_.below(256), value);
  }
  select({});
  // Settle, because a tile may be called before another has its routes.
  case_.items.push_back({Item::Kind::Settle, {}, kFrame});
  routes_ = routes;
}

// ------------------------------------------------------------------------------------------------------------- calls

void Plan::begin_call() {
  std::vector<int> lines;
  begin_step();
  for (int n = rng_.below(4); n > 0; --n) command(machine::Command::Setreg, rng_.below(256), blocks_.number());
  if (rng_.chance(30)) command(machine::Command::Mark, rng_.below(256), blocks_.number());
  unit_ = kFrame;
  for (Tile& t : tiles_) {
    lines.push_back(t.main.here());
    t.state = Tile::State::Main;
    t.main_ended = t.psum_ended = false;
    t.mp = t.pm = 0;
    if (settled_ && rng_.chance(20) && !routes_.ends)
      t.main.emit({.op = isa::Opcode::Csrr, .rd = u8(t.main.free_register()), .csr = isa::Csr::Flags});
  }
  if (calls_ == 0 && rng_.chance(60)) fill_entries();
  mains_.push_back(lines);
  command(machine::Command::Call, rng_.below(256),
          static_cast<unsigned>(case_.base + calls_++) % machine::WaferShape::kIDepth +
              static_cast<unsigned>(rng_.below(64)) * machine::WaferShape::kIDepth);
  settled_ = false;
}

/// Fills R with products of memory contents.
void Plan::fill_entries() {
  begin_step();
  for (Tile& t : tiles_) {
    Code& c = t.main;
    unsigned taken = 0;
    c.vl(c.longest = 256);
    c.control(isa::Csr::Rep, static_cast<unsigned>(c.repeats = 1));
    const int ra = c.with(static_cast<unsigned>(rng_.below(16) * case_.shape.lanes), taken);
    const int rb = c.with(any_bf16(rng_), taken), rc = c.with(any_bf16(rng_), taken);
    c.frame({.op = isa::Opcode::Vf,
             .rd = u8(rng_.below(16)),
             .ra = u8(ra),
             .rb = u8(rb),
             .bsel = rng_.any({isa::BSel::S, isa::BSel::A}),
             .csel = rng_.any({isa::CSel::Z, isa::CSel::A, isa::CSel::S}),
             .rc = u8(rc)});
  }
  unit_ = kFrame;
}

void Plan::end_call(bool settle) {
  begin_step();
  unit_ = kFrame;
  for (Tile& t : tiles_) {
    t.main.unit = t.psum.unit = kFrame;
    if (t.state != Tile::State::Main && !t.psum_ended) t.psum.frame({.op = isa::Opcode::Halt});
    if (t.main_ended) continue;
    if (t.state != Tile::State::Main && rng_.chance(50)) t.main.frame({.op = isa::Opcode::Join});
    t.main.frame({.op = isa::Opcode::Halt});
  }
  if (!settle) return;
  case_.items.push_back({Item::Kind::Settle, {}, kFrame});
  settled_ = true;
  std::ranges::fill(outlet_of_, -1);
}

void Plan::reset() {
  case_.items.push_back({Item::Kind::Reset, {}, kFrame});
  routes_ = {};
}

void Plan::odd_commands(bool settled) {
  begin_step();
  for (int n = rng_.between(1, 6); n > 0; --n) {
    switch (rng_.below(10)) {
      case 0:  // unknown command
        command(static_cast<machine::Command>(rng_.between(static_cast<int>(machine::Command::Mark) + 1, 255)),
                rng_.below(256), blocks_.number());
        break;
      case 1:
        command(machine::Command::CR, 0, 0);
        break;
      case 2:
        send(machine::Message::weight(blocks_.number(), blocks_.number()));
        break;
      case 3:
        select({rng_.any({machine::Selection::kAll, 0, 1, 7}), rng_.any({machine::Selection::kAll, 0, 1, 9})});
        break;
      case 4:
        command(machine::Command::Setreg, rng_.below(256), blocks_.number());
        break;
      case 5:
        command(machine::Command::Maddr, 0, blocks_.number());
        for (int i = rng_.below(9); i > 0; --i) command(machine::Command::Mdata, 0, blocks_.number());
        break;
      case 6:
        command(machine::Command::Iaddr, 0, blocks_.number());
        command(machine::Command::Ilo, 0, blocks_.number());
        break;
      case 7:  // nonexistent colors or ports, or reserved bits
        command(machine::Command::Route, 0,
                rng_.chance(50) && case_.shape.colors < 32
                    ? static_cast<unsigned>(rng_.between(case_.shape.colors, 31) << 11 | rng_.below(2048))
                    : static_cast<unsigned>(rng_.below(case_.shape.colors) << 11 | rng_.between(5, 7) << 8 |
                                            rng_.below(256)));
        break;
      case 8:
        command(machine::Command::Mark, rng_.below(256), blocks_.number());
        break;
      default:  // off the wafer's edge
        select({.col = case_.shape.cols - 1});
        command(machine::Command::Route, 0,
                static_cast<unsigned>(rng_.below(case_.shape.colors) << 11 | rng_.below(5) << 8 | 2));
    }
  }
  select({});
  if (settled) case_.items.push_back({Item::Kind::Settle, {}, unit_});
  unit_ = kFrame;
}

}  // namespace weft::random
