/// Vector instructions that a thread executes alone.
#include <algorithm>
#include <string_view>

#include "isa_legal.hpp"
#include "verif/random/blocks.hpp"

namespace weft::random {

using isa::ASel;
using isa::BSel;
using isa::CSel;
using isa::Csr;
using isa::DSel;

namespace {

/// Vector instructions of main that use no queue and have operands KIND[register]; vf has more forms.
const std::vector<isa::Opcode> kListed =
    opcodes([](const isa::Info& i) { return i.main && i.local && !i.operands.empty(); });

constexpr int kListedShare = 30;  // percent of vector instructions without queues

/// The instruction with these registers as operands.
template <class Register>
isa::Instr listed(isa::Opcode op, Register next) {
  std::uint32_t word = static_cast<std::uint32_t>(op) << 26;
  for (const isa::Operand& operand : isa::info(op)->operands)
    word |= static_cast<std::uint32_t>(next(operand.kind)) << operand.lsb;
  return isa::decode(word);
}

}  // namespace

int Blocks::beats(const Code& c, int most) {
  const int n = c.depth                          ? rng_.between(1, 4)
                : rng_.weighted({14, 5, 1}) == 0 ? rng_.between(1, 8)
                : rng_.chance(80)                ? rng_.between(1, 40)
                                                 : rng_.any({255, 256, 128, 65, 200});
  return std::min(n, most);
}

/// Emits a vector instruction that uses no queue, with any contents of its registers.
void Blocks::wild_vector(Code& c) {
  const auto r = [&] { return u8(any_register()); };
  for (int n = rng_.below(3); n > 0; --n) c.emit({.op = isa::Opcode::Li, .rd = u8(c.free_register()), .imm = number()});
  if (!kListed.empty() && rng_.chance(kListedShare)) {
    c.emit(listed(any(kListed), [&](std::string_view) { return any_register(); }));
    return;
  }
  isa::Instr in{
      .op = isa::Opcode::Vf, .rd = r(), .ra = r(), .rb = r(), .fn = static_cast<isa::Fn>(rng_.below(8)), .rc = r()};
  do {
    in.asel = static_cast<ASel>(rng_.below(4));
    in.bsel = static_cast<BSel>(rng_.below(4));
    in.csel = static_cast<CSel>(rng_.below(4));
    in.dsel = static_cast<DSel>(rng_.below(2));
  } while (!isa::fields_legal(isa::encode(in), isa::Thread::Main));
  c.emit(in);
}

int Blocks::address(Code& c, unsigned& taken, const Zone* zone, int beats) {
  return c.with(zone ? zone->vectors(rng_, beats, 1).address : number(), taken);
}

int Blocks::entry(Code& c, unsigned& taken, const Zone* zone, int beats) {
  return c.with(zone ? zone->entry(rng_, beats) : number(), taken);
}

void Blocks::vector(Code& c, const Zone* zone) {
  if (kListed.empty() || !rng_.chance(kListedShare)) return vf(c, zone);
  const int n = beats(c, zone ? zone->longest() : 256);
  c.vl(n);
  c.longest = std::max(c.longest, n);
  unsigned taken = 0;
  c.frame(listed(any(kListed), [&](std::string_view kind) {
    return kind == "M"   ? address(c, taken, zone, n)
           : kind == "R" ? entry(c, taken, zone, n)
                         : c.with(any_bf16(rng_), taken);
  }));
}

void Blocks::vf(Code& c, const Zone* zone) {
  const bool was = c.alone;
  c.alone = false;
  isa::Instr in{.op = isa::Opcode::Vf,
                .fn = static_cast<isa::Fn>(rng_.below(8)),
                .asel = static_cast<ASel>(rng_.below(4)),
                .bsel = static_cast<BSel>(rng_.below(4)),
                .csel = static_cast<CSel>(rng_.below(4)),
                .dsel = static_cast<DSel>(rng_.below(2))};
  if (rng_.chance(30)) in.fn = isa::Fn::Fma;
  while (!isa::fields_legal(isa::encode(in), isa::Thread::Main)) in.bsel = rng_.any({BSel::MS, BSel::S, BSel::A});
  // Feeds memory contents directly to a table function; otherwise most table entries would rarely be read.
  const bool straight = in.fn >= isa::Fn::Exp && rng_.chance(60);
  if (straight) in.asel = ASel::M, in.bsel = BSel::S, in.csel = CSel::Z;
  const int n = straight && !c.depth ? rng_.between(8, zone ? zone->longest() : 64)
                                     : beats(c, zone ? zone->longest() : 256),
            reps = n <= 2 && !c.depth && rng_.chance(4) ? rng_.any({256, 257, 400}) : rng_.weighted({1, 6, 2, 1});
  unsigned taken = 0;
  c.vl(n);
  c.longest = std::max(c.longest, n);
  c.control(Csr::Rep, static_cast<unsigned>(c.repeats = reps));
  // Limits the step of c and d between repetitions, so that their entries stay in the zone.
  const int most = zone && reps > 1 ? (zone->entries - n) / (reps - 1) : 255;
  const int step = rng_.chance(50) ? 0 : rng_.between(0, std::min(most, zone || rng_.chance(60) ? n : 255));
  const int entries = n + (zone ? std::max(0, reps - 1) * step : 0);
  c.control(Csr::Str, static_cast<unsigned>(step + (rng_.chance(10) ? rng_.below(256) << 8 : 0)));
  const auto vectors = [&](Csr csr) {
    Zone::Vectors v = zone ? zone->vectors(rng_, n, reps) : Zone::Vectors{number(), number()};
    if (straight && !zone && csr == Csr::Sta)
      v.address = static_cast<unsigned>(rng_.below(shape_.sram_elements() / shape_.lanes - 63) * shape_.lanes);
    c.control(csr, v.stride, taken);
    return c.with(v.address, taken);
  };
  if (in.asel == ASel::OH && rng_.chance(70)) c.control(Csr::Idx, number());
  in.ra = u8(in.asel == ASel::S ? c.with(any_bf16(rng_), taken) : vectors(Csr::Sta));
  const bool two = in.asel == ASel::MM;
  if (two && in.bsel == BSel::MS) {
    in.rb = u8(vectors(Csr::Stb));
  } else if (in.bsel == BSel::MS) {
    const Zone::Vectors v = zone ? zone->scalars(rng_, reps) : Zone::Vectors{number(), number()};
    c.control(Csr::Stb, v.stride, taken);
    in.rb = u8(c.with(v.address, taken));
  } else {
    in.rb = u8(in.bsel == BSel::R ? entry(c, taken, zone, n) : c.with(straight ? 0x3f80 : any_bf16(rng_), taken));
  }
  const bool c_in_memory = two && in.bsel != BSel::MS;
  if (c_in_memory)
    in.rc = u8(vectors(Csr::Stb));
  else
    in.rc = u8(in.csel == CSel::R ? entry(c, taken, zone, entries) : c.with(any_bf16(rng_), taken));
  in.rd = u8(in.dsel == DSel::R ? entry(c, taken, zone, entries) : vectors(Csr::Std));
  if (in.dsel == DSel::R && in.csel == CSel::R && !c_in_memory && rng_.chance(40)) in.rd = in.rc;
  c.frame(in);
  if (reps > 3) c.control(Csr::Rep, static_cast<unsigned>(c.repeats = 2));
  c.alone = was;
}

void Blocks::vaxs(Code& c, const Zone* zone) {
  const int n = beats(c, std::min(zone ? zone->longest() : 256, 24));
  unsigned taken = 0;
  c.vl(c.longest = n);
  const int mask = (1 << rng_.below(4)) - 1;
  const Zone::Vectors v = zone ? zone->vectors(rng_, n, mask + 1) : Zone::Vectors{number(), number()};
  c.control(Csr::Lmask, static_cast<unsigned>(!zone && rng_.chance(30) ? number() : mask));
  c.control(Csr::Sta, v.stride);
  const ASel asel = rng_.any({ASel::M, ASel::M, ASel::OH});
  const int ra = c.with(v.address, taken), rd = entry(c, taken, zone, n);
  const bool interleave = rng_.chance(40);
  if (interleave) interleaved(c, taken, zone || rng_.chance(90) ? n : 0, !zone);
  c.frame({.op = isa::Opcode::Vaxs, .rd = u8(rd), .ra = u8(ra), .asel = asel, .interleave = interleave});
}

void Blocks::interleaved(Code& c, unsigned taken, int entries, bool anywhere) {
  constexpr int kNumbers = 16;  // an index may name any of these sums
  const int given = rng_.between(1, 8), beats = entries % given == 0 ? given : 1;
  const bool numbered = (anywhere || kNumbers * beats <= entries) && rng_.chance(50);
  c.control(Csr::Str, static_cast<unsigned>(beats - 1 + 8 * numbered + 16 * rng_.below(2)), taken);
}

void Blocks::local(Code& c, isa::Instr& in, unsigned& taken, const Zone* zone, int n) {
  if (!in.q) in.rc = u8(entry(c, taken, zone, n));
  in.d = rng_.any({isa::VsD::N, isa::VsD::R, isa::VsD::M});
  in.rd = u8(in.d == isa::VsD::M ? address(c, taken, zone, n) : entry(c, taken, zone, n));
}

bool Blocks::alone(Code& c, const Zone* zone, bool has_entry, bool room, bool& took) {
  unsigned taken = 0;
  took = false;
  if (room && rng_.chance(35)) {
    const int n = beats(c, zone ? zone->longest() / 2 : 60);
    c.vl(c.longest = n);
    const int ra = address(c, taken, zone, n), rd = address(c, taken, zone, 2 * n);
    c.frame({.op = isa::Opcode::Vb, .rd = u8(rd), .ra = u8(ra), .cin = u8(rng_.below(32)), .cout = u8(rng_.below(32))});
    return true;
  }
  const int n = beats(c, zone ? zone->longest() : 60);
  c.vl(c.longest = n);
  isa::Instr in{.op = isa::Opcode::Vs,
                .vsop = static_cast<isa::VsOp>(rng_.below(3)),
                .cin = u8(rng_.below(32)),
                .cout = u8(rng_.below(32))};
  in.q = took = has_entry && !zone && rng_.chance(60);  // in a zone, psum's own vector must come from main's buffer
  if (in.q) in.rc = u8(entry(c, taken, zone, n));
  local(c, in, taken, zone, n);
  c.frame(in);
  return false;
}

}  // namespace weft::random
