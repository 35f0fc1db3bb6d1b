/// Main's vector instructions: positional operands, destination first.
#include "sw/asm/vector.hpp"

namespace weft::assembler {
namespace {

template <class Enum, std::size_t N>
Enum kind_of(const Operand& operand, const std::string_view (&names)[N]) {
  return static_cast<Enum>(value_of_name(names, operand.kind));
}

void read_vf(isa::Instr& i, std::string_view suffix, Cursor& at, const Symbols& symbols) {
  const std::string usage = "'vf." + std::string(suffix) + " d, a, b, c'";
  i.fn = static_cast<isa::Fn>(read_suffix("vf", suffix, isa::kFnNames));
  const Operand d = read_operand(at, symbols, {"R", "M"}, "the destination of vf");
  at.expect(',', usage);
  const Operand a = read_operand(at, symbols, {"M", "S", "OH"}, "a of vf");
  at.expect(',', usage);
  const Operand b = read_operand(at, symbols, {"S", "R", "MS", "A"}, "b of vf");
  at.expect(',', usage);
  const Operand c = read_operand(at, symbols, {"Z", "R", "A", "S"}, "c of vf");
  at.expect_end(usage);
  i.dsel = kind_of<isa::DSel>(d, isa::kDselNames);
  i.asel = kind_of<isa::ASel>(a, isa::kAselNames);
  i.bsel = kind_of<isa::BSel>(b, isa::kBselNames);
  i.csel = kind_of<isa::CSel>(c, isa::kCselNames);
  i.rd = d.reg;
  i.ra = a.reg;
  i.rb = b.reg;
  i.rc = c.reg;
}

void read_source(isa::Instr& i, Cursor& at, const Symbols& symbols, std::string_view role) {
  const Operand a = read_operand(at, symbols, {"M", "OH"}, role);
  i.asel = kind_of<isa::ASel>(a, isa::kAselNames);
  i.ra = a.reg;
}

}  // namespace

isa::Instr read_main(isa::Op op, std::string_view suffix, Cursor& at, const Symbols& symbols) {
  isa::Instr i;
  i.op = op;
  if (op == isa::Op::Vf) {
    read_vf(i, suffix, at, symbols);
    return i;
  }
  const std::string usage = op == isa::Op::Vaxs  ? "'vaxs R[r5], M[r1]'"
                            : op == isa::Op::Vcr ? "'vcr R[r6], R[r5]'"
                                                 : "'vdot R[r6], M[r1], R[r7]' or 'vdot R[r6], M[r1], R[r7], r8'";
  i.rd = read_operand(at, symbols, {"R"}, "the destination").reg;
  at.expect(',', usage);
  if (op == isa::Op::Vcr) {
    i.rc = read_operand(at, symbols, {"R"}, "the accumulators of vcr").reg;
  } else {
    read_source(i, at, symbols, "the memory operand");
  }
  if (op == isa::Op::Vdot) {
    at.expect(',', usage);
    i.rb = read_operand(at, symbols, {"R"}, "dy of vdot").reg;
    if (at.eat(',')) i.rc = static_cast<std::uint8_t>(symbols.read_register(at));
  }
  at.expect_end(usage);
  return i;
}

}  // namespace weft::assembler
