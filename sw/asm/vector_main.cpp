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
  const Operand b = read_operand(at, symbols, {"S", "R", "MS", "A", "M"}, "b of vf");
  at.expect(',', usage);
  const Operand c = read_operand(at, symbols, {"Z", "R", "A", "S", "M"}, "c of vf");
  at.expect_end(usage);
  const bool b_in_memory = b.kind == "M", c_in_memory = c.kind == "M";
  i.dsel = kind_of<isa::DSel>(d, isa::kDselNames);
  i.asel = kind_of<isa::ASel>(a, isa::kAselNames);
  i.bsel = b_in_memory ? isa::BSel::MS : kind_of<isa::BSel>(b, isa::kBselNames);
  i.csel = c_in_memory ? isa::CSel::R : kind_of<isa::CSel>(c, isa::kCselNames);
  if (b_in_memory || c_in_memory) {
    if (a.kind != "M") throw Complaint{"a second vector in memory needs a in memory", "write M[...] for a"};
    if (b_in_memory && c_in_memory) throw Complaint{"b and c are both vectors in memory", "put one of them into R"};
    if (c_in_memory && (b.kind == "R" || b.kind == "MS"))
      throw Complaint{"c is in memory, so b can be S[...] or A only", "put c into R, or b into a register"};
    i.asel = isa::ASel::MM;
  }
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

isa::Instr read_main(isa::Opcode op, std::string_view suffix, Cursor& at, const Symbols& symbols) {
  isa::Instr i;
  i.op = op;
  if (op == isa::Opcode::Vf) {
    read_vf(i, suffix, at, symbols);
    return i;
  }
  const std::string usage = op == isa::Opcode::Vaxs ? "'vaxs R[r5], M[r1]' or 'vaxs Q[r5], M[r1], put, interleave'"
                                                    : "'vdot R[r6], M[r1], M[r7]' or 'vdot R[r6], M[r1], M[r7], r8'";
  const Operand d = op == isa::Opcode::Vaxs ? read_operand(at, symbols, {"R", "Q"}, "the accumulators")
                                            : read_operand(at, symbols, {"R"}, "the destination");
  i.rd = d.reg;
  i.rotate = d.kind == "Q";
  at.expect(',', usage);
  read_source(i, at, symbols, "the memory operand");
  if (op == isa::Opcode::Vdot) {
    at.expect(',', usage);
    i.rb = read_operand(at, symbols, {"M"}, "dy of vdot").reg;
    if (at.eat(',')) i.rc = static_cast<std::uint8_t>(symbols.read_register(at));
  }
  while (op == isa::Opcode::Vaxs && at.eat(',')) {
    const Cursor before = at;
    std::string_view word = at.word();
    if (word == "deal") word = "interleave";  // the former name
    if (word != "put" && word != "interleave")
      throw Complaint{"expected 'put' or 'interleave' " + before.here(), "write " + usage};
    bool& given = word == "put" ? i.put : i.interleave;
    if (given) throw Complaint{in_quotes(word) + " is given twice", "keep one of them"};
    given = true;
    if (i.put && !i.rotate)
      throw Complaint{"only rotating accumulators are put into MP", "write Q[...] for R[...], or no 'put'"};
  }
  at.expect_end(usage);
  return i;
}

}  // namespace weft::assembler
