#include "verif/random/blocks.hpp"

#include <algorithm>

#include "isa.hpp"
#include "sw/machine/register_step.hpp"

namespace weft::random {

using isa::Csr;

namespace {

constexpr int kMostBeats = 1500;  // beats of a wild vf

bool has_fields(const isa::Info& info, std::initializer_list<std::string_view> names) {
  return info.registers && std::ranges::equal(info.fields, names, {}, &isa::Field::name);
}

// Arithmetic of two registers, and of one; branches that write no register.
const std::vector<isa::Opcode> kOfTwo = opcodes([](const isa::Info& i) { return has_fields(i, {"rd", "ra", "rb"}); });
const std::vector<isa::Opcode> kOfOne = opcodes([](const isa::Info& i) {
  return has_fields(i, {"rd", "ra", "imm"}) || has_fields(i, {"rd", "ra", "shamt"});
});
const std::vector<isa::Opcode> kBranches = opcodes([](const isa::Info& i) {
  return i.branches && machine::register_use({.op = i.op, .ra = 1}).writes == 1;  // r0
});

}  // namespace

void Blocks::anything(Code& c, bool main, const Zone* zone, int n) {
  c.alone = true;
  if (!zone && (c.longest == 0 || c.longest > 16)) {
    c.vl(c.longest = rng_.between(1, 12));
    if (main) c.control(Csr::Rep, static_cast<unsigned>(c.repeats = rng_.between(1, 2)));
  }
  for (int i = 0; i < n; ++i) one(c, main, zone);
  c.alone = false;
}

void Blocks::one(Code& c, bool main, const Zone* zone) {
  switch (rng_.weighted({30, 8, 5, 7, 6, 3, 3, main ? 12 : 0})) {
    case 0:
      return arithmetic(c);
    case 1:
      return load(c, main, zone);
    case 2: {
      const Csr csr = main ? rng_.any({Csr::VL, Csr::Rep, Csr::Sta, Csr::Stb, Csr::Std, Csr::Idx, Csr::Lmask, Csr::Str,
                                       Csr::Row, Csr::Rows, Csr::Col, Csr::Cols})
                           : rng_.any({Csr::VL, Csr::Row, Csr::Rows, Csr::Col, Csr::Cols});
      c.emit({.op = isa::Opcode::Csrr, .rd = u8(destination(c)), .csr = csr});
      return;
    }
    case 3:
      return set_control(c, main, zone);
    case 4:
      return branch(c, main, zone);
    case 5:
      return skip(c);
    case 6:
      if (c.depth >= 2) return arithmetic(c);
      if (!zone && c.longest > 16) c.vl(c.longest = rng_.between(1, 8));
      return c.loop(rng_.between(1, 5), [&] {
        for (int n = rng_.between(1, 6); n > 0; --n) one(c, main, zone);
      });
    default:
      return zone ? vector(c, zone) : wild_vector(c);
  }
}

void Blocks::arithmetic(Code& c) {
  const auto rd = u8(destination(c)), ra = u8(any_register()), rb = u8(any_register());
  switch (rng_.weighted({10, 6, 4})) {
    case 0:
      c.emit({.op = isa::Opcode::Li, .rd = rd, .imm = number()});
      return;
    case 1:
      c.emit({.op = any(kOfTwo), .rd = rd, .ra = ra, .rb = rb});
      return;
    default: {
      const isa::Opcode op = any(kOfOne);
      if (isa::info(op)->fields.back().name == "imm")
        c.emit({.op = op, .rd = rd, .ra = ra, .imm = number()});
      else
        c.emit({.op = op, .rd = rd, .ra = ra, .shamt = u8(rng_.below(16))});
    }
  }
}

/// Emits a load, often followed by a write to IDX, which may then differ between the columns of a lockstep row.
void Blocks::load(Code& c, bool main, const Zone* zone) {
  const auto rd = u8(destination(c));
  const isa::Instr idx{.op = isa::Opcode::Csrw, .ra = rd, .csr = Csr::Idx};
  const bool sets_idx = main && rng_.chance(25);
  if (!zone) {
    c.emit({.op = isa::Opcode::Ld, .rd = rd, .ra = u8(any_register()), .imm = number()});
    if (sets_idx) c.emit(idx);
    return;
  }
  const bool behind = zone->elements < 65536 && rng_.chance(10);
  const unsigned at = behind ? static_cast<unsigned>(rng_.between(zone->elements, 65535))
                             : static_cast<unsigned>(zone->first + rng_.below(zone->size));
  unsigned taken = 0;
  const std::uint16_t imm = number();
  const int ra = c.with((at - imm) & 0xffff, taken);
  c.frame({.op = isa::Opcode::Ld, .rd = rd, .ra = u8(ra), .imm = imm});
  if (sets_idx) c.frame(idx);
}

/// Emits a forward branch over some instructions, on any condition.
void Blocks::branch(Code& c, bool main, const Zone* zone) {
  const isa::Opcode op = any(kBranches);
  const int ra = any_register(), rb = rng_.chance(15) ? ra : any_register();
  const int line = c.jump({.op = op, .ra = u8(ra), .rb = u8(rb)}, 0);
  for (int n = rng_.between(1, 3); n > 0; --n) one(c, main, zone);
  c.aim(line, c.here());
}

/// Emits a jump over words that are never executed, a call of the next instruction, or a call and return.
void Blocks::skip(Code& c) {
  const auto garbage = [&] {
    for (int n = rng_.below(3); n > 0; --n) c.raw(static_cast<std::uint32_t>(rng_.next()));
  };
  const int r = c.free_register();
  if (rng_.chance(40)) {
    const int line = c.jump({.op = isa::Opcode::Jal, .rd = u8(rng_.chance(30) ? 0 : r)}, 0);
    garbage();
    c.aim(line, c.here());
  } else if (rng_.chance(50)) {
    const int line = c.jump({.op = isa::Opcode::Li, .rd = u8(r)}, 0);  // jr ignores the bits above an address
    c.frame({.op = isa::Opcode::Jr, .ra = u8(r)});
    garbage();
    c.aim(line, c.here());
  } else {
    const int call = c.jump({.op = isa::Opcode::Jal, .rd = u8(r)}, 0);
    const int over = c.jump({.op = isa::Opcode::Jal, .rd = 0}, 0);
    garbage();
    c.aim(call, c.here());
    c.kept |= 1u << r;
    arithmetic(c);
    c.kept &= ~(1u << r);
    c.frame({.op = isa::Opcode::Jr, .ra = u8(r)});
    garbage();
    c.aim(over, c.here());
  }
}

void Blocks::set_control(Code& c, bool main, const Zone* zone) {
  switch (main ? rng_.below(4) : 0) {
    case 0: {
      const int most = std::max(1, kMostBeats / std::max(1, c.repeats)),
                n = zone ? rng_.between(1, 256) : beats(c, std::min(256, most));
      c.longest = std::max(c.longest, n);
      return c.vl(n);
    }
    case 1: {
      const int kind = rng_.weighted({7, 1, 1});
      const int n = kind == 0   ? rng_.between(1, 3)
                    : kind == 1 ? rng_.any({0, 0, 9, 30})
                                : rng_.any({256, 257, 300, 700});
      if (zone || c.depth || n * c.longest > kMostBeats) return arithmetic(c);
      c.control(Csr::Rep, static_cast<unsigned>(n));
      c.repeats = std::max(c.repeats, n);
      if (n <= 3) return;
      wild_vector(c);  // only one, since loops or a long VL would make more of them too slow
      c.control(Csr::Rep, static_cast<unsigned>(c.repeats = 2));
      return;
    }
    default:
      c.emit({.op = isa::Opcode::Csrw,
              .ra = u8(any_register()),
              .csr = rng_.any({Csr::Sta, Csr::Stb, Csr::Std, Csr::Idx, Csr::Lmask, Csr::Str})});
      if (rng_.chance(60))
        c.control(rng_.any({Csr::Sta, Csr::Stb, Csr::Std}),
                  static_cast<unsigned>(rng_.between(-3, 6) * shape_.lanes) & 0xffff);
  }
}

}  // namespace weft::random
