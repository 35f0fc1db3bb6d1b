/// All forms of vf compared with the slow tile.
#include "isa_legal.hpp"
#include "tests/model/machine.hpp"

namespace weft::test {
namespace {

using isa::ASel;
using isa::BSel;
using isa::CSel;
using isa::DSel;

class Vf : public testing::Test {
 protected:
  std::uint16_t aligned(int limit) { return static_cast<std::uint16_t>(rng.below(limit / kLanes + 1) * kLanes); }

  /// Operands that stay within memory and often overlap.
  SlowTile::Operands operands(const isa::Instr& in) {
    SlowTile::Operands o;
    o.vl = static_cast<std::uint16_t>(1 + rng.below(24));
    o.rep = static_cast<std::uint16_t>(rng.below(5));
    o.sta = aligned(24), o.std = aligned(24), o.stb = static_cast<std::uint16_t>(rng.below(24));
    o.idx = static_cast<std::uint16_t>(rng.below(4));
    if (rng.chance(50)) o.str = static_cast<std::uint16_t>(rng.chance(80) ? rng.below(2 * o.vl) : rng.next());
    const bool two = in.asel == ASel::MM, b_in_memory = two && in.bsel == BSel::MS, c_in_memory = two && !b_in_memory;
    if (two) o.stb = aligned(24);
    const int room = machine.shape.sram_elements() - o.vl * kLanes - 4 * 24;
    o.ra = in.asel == ASel::S ? any_bf16(rng) : aligned(room);
    o.rb = in.bsel == BSel::S ? any_bf16(rng) : static_cast<std::uint16_t>(rng.below(256));
    o.rc = in.csel == CSel::S ? any_bf16(rng) : static_cast<std::uint16_t>(rng.below(256));
    o.rd = in.dsel == DSel::M ? aligned(room) : static_cast<std::uint16_t>(rng.below(256));
    if (b_in_memory) o.rb = aligned(room);
    if (c_in_memory) o.rc = aligned(room);
    if (rng.chance(50)) {  // near its source
      const int near = static_cast<int>(rng.below(7)) - 3;
      if (in.dsel == DSel::R && in.csel == CSel::R && !c_in_memory)
        o.rd = static_cast<std::uint16_t>((o.rc + near) & 255);
      if (in.dsel == DSel::R && in.bsel == BSel::R) o.rd = static_cast<std::uint16_t>((o.rb + near) & 255);
      const int read = two && rng.chance(70) ? b_in_memory ? o.rb : o.rc : o.ra;
      if (in.dsel == DSel::M && in.asel != ASel::S)
        o.rd = static_cast<std::uint16_t>(std::clamp(read + near * kLanes, 0, room / kLanes * kLanes));
    }
    return o;
  }

  void step(isa::Instr in) { step(in, operands(in)); }
  void step(isa::Instr in, const SlowTile::Operands& o) {
    machine.refresh();
    in.op = isa::Opcode::Vf;
    in.rd = 1, in.ra = 2, in.rb = 3, in.rc = 4;
    for (SlowTile& tile : machine.tiles) tile.vf(in, o);
    machine.run("start:\n" + set("VL", o.vl) + set("REP", o.rep) + set("STA", o.sta) + set("STB", o.stb) +
                    set("STD", o.std) + set("IDX", o.idx) + set("STR", o.str) + li(1, o.rd) + li(2, o.ra) +
                    li(3, o.rb) + li(4, o.rc) + word(in),
                assembler::disassemble(isa::encode(in)) + " rd " + std::to_string(o.rd) + " ra " +
                    std::to_string(o.ra) + " rb " + std::to_string(o.rb) + " rc " + std::to_string(o.rc) + " VL " +
                    std::to_string(o.vl) + " REP " + std::to_string(o.rep) + " STR " + std::to_string(o.str));
  }

  Machine machine{{.rows = 1, .cols = 3, .lanes = kLanes, .sram_kib = 1}};
  Rng& rng = machine.rng;
};

TEST_F(Vf, EveryFormEqualsTheSlowEvaluation) {
  for (int round = 0; round < 4; ++round)
    for (int fn = 0; fn < 8; ++fn)
      for (int a = 0; a < 4; ++a)
        for (int b = 0; b < 4; ++b)
          for (int c = 0; c < 4; ++c)
            for (int d = 0; d < 2; ++d) {
              isa::Instr in;
              in.fn = static_cast<isa::Fn>(fn), in.asel = static_cast<ASel>(a), in.bsel = static_cast<BSel>(b);
              in.csel = static_cast<CSel>(c), in.dsel = static_cast<DSel>(d);
              in.op = isa::Opcode::Vf;
              if (!isa::fields_legal(isa::encode(in), isa::Thread::Main)) continue;
              step(in);
              if (HasFatalFailure()) return;
            }
}

TEST_F(Vf, ProductsAddUpInOneAccumulator) {
  for (int round = 0; round < 100; ++round)
    for (const BSel b : {BSel::S, BSel::R, BSel::MS, BSel::A}) {
      const bool b_in_memory = b == BSel::MS && rng.chance(50);
      const isa::Instr in{.asel = b_in_memory ? ASel::MM : ASel::M, .bsel = b, .csel = CSel::R, .dsel = DSel::R};
      SlowTile::Operands o = operands(in);
      if (rng.chance(50)) o.str = rng.chance(50) ? 0 : 256;
      o.rd = o.rc;
      o.rep = static_cast<std::uint16_t>(rng.chance(20) ? 60 + rng.below(10) : rng.below(12));
      o.sta = aligned(4), o.stb = static_cast<std::uint16_t>(rng.below(4));  // keeps them within memory
      o.ra = aligned(100), o.rb = b == BSel::MS ? static_cast<std::uint16_t>(rng.below(100)) : o.rb;
      if (b_in_memory) o.stb = aligned(4), o.rb = aligned(100);
      step(in, o);
      if (HasFatalFailure()) return;
    }
}

TEST_F(Vf, OneVectorSpreadsOverManyAccumulators) {
  for (int round = 0; round < 150 && !HasFatalFailure(); ++round) {
    machine.refresh();
    std::string source = "start:\n", what;
    SlowTile::Operands o;
    for (int n = 1 + static_cast<int>(rng.below(20)); n > 0; --n) {
      isa::Instr in{.asel = ASel::M, .bsel = BSel::MS, .csel = CSel::R, .dsel = DSel::R};
      if (what.empty() || rng.chance(15)) {  // different accumulators
        o.vl = static_cast<std::uint16_t>(1 + rng.below(12)), o.rep = static_cast<std::uint16_t>(rng.below(9));
        o.str = static_cast<std::uint16_t>(o.vl + rng.below(3)), o.rd = static_cast<std::uint16_t>(rng.below(160));
        if (rng.chance(20)) o.str = static_cast<std::uint16_t>(rng.below(2 * o.vl));
        if (rng.chance(10)) o.rd = static_cast<std::uint16_t>(200 + rng.below(56));
        if (rng.chance(60)) in.csel = CSel::Z;
      }
      if (rng.chance(10)) in.csel = CSel::Z;
      if (rng.chance(10)) in.dsel = DSel::M, in.asel = ASel::S, in.bsel = BSel::R, in.csel = CSel::Z;
      o.sta = 0, o.std = o.vl * kLanes, o.stb = static_cast<std::uint16_t>(rng.below(5));
      o.ra = aligned(300), o.rb = static_cast<std::uint16_t>(rng.below(256)), o.rc = o.rd;
      SlowTile::Operands own = o;
      if (in.dsel == DSel::M) own.ra = 0x3f80, own.rd = aligned(100), own.rep = 1;
      in.op = isa::Opcode::Vf;
      in.rd = 1, in.ra = 2, in.rb = 3, in.rc = 4;
      for (SlowTile& tile : machine.tiles) tile.vf(in, own);
      source += set("VL", own.vl) + set("REP", own.rep) + set("STA", 0) + set("STB", own.stb) + set("STD", own.std) +
                set("STR", own.str) + li(1, own.rd) + li(2, own.ra) + li(3, own.rb) + li(4, own.rc) + word(in);
      what += assembler::disassemble(isa::encode(in)) + "; ";
    }
    machine.run(source, what);
  }
}

}  // namespace
}  // namespace weft::test
