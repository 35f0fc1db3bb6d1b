#include <cstdio>

#include "isa.hpp"
#include "sw/asm/assembler.hpp"

namespace weft::assembler {
namespace {

using isa::Instr;
using isa::Opcode;

template <std::size_t N, class Value>
std::string name(const std::string_view (&names)[N], Value value) {
  const auto n = static_cast<std::size_t>(value);
  return n < N && !names[n].empty() ? std::string(names[n]) : std::to_string(n);
}

std::string reg(int n) { return "r" + std::to_string(n); }
std::string at(const std::string& kind, int n) { return kind + "[" + reg(n) + "]"; }
std::string color(int n) { return name(isa::kColorNames, n); }

std::string scalar(const isa::Info& info, std::uint32_t word) {
  std::string text(info.name);
  for (const isa::Field& field : info.fields) {
    const int value = static_cast<int>(word >> field.lsb & ((1u << (field.msb - field.lsb + 1)) - 1));
    text += &field == &info.fields.front() ? " " : ", ";
    if (field.name == "csr") {
      text += name(isa::kCsrNames, value);
    } else if (field.name == "color") {
      text += color(value);
    } else {
      text += field.name.front() == 'r' ? reg(value) : std::to_string(value);
    }
  }
  return text;
}

std::string listed(const isa::Info& info, std::uint32_t word) {
  std::string text(info.name);
  for (const isa::Operand& operand : info.operands)
    text += (&operand == &info.operands.front() ? " " : ", ") +
            at(std::string(operand.kind), static_cast<int>(word >> operand.lsb & 15));
  return text;
}

/// An operand, which has no register if its kind is Z or A.
std::string operand(const std::string& kind, int n) { return kind == "Z" || kind == "A" ? kind : at(kind, n); }

std::string vector_main(const Instr& i) {
  const bool two = i.op == Opcode::Vf && i.asel == isa::ASel::MM, b_in_memory = two && i.bsel == isa::BSel::MS;
  const std::string a = at(two ? "M" : name(isa::kAselNames, i.asel), i.ra);
  if (i.op == Opcode::Vaxs)
    return "vaxs " + at(i.rotate ? "Q" : "R", i.rd) + ", " + a + (i.put ? ", put" : "") +
           (i.interleave ? ", interleave" : "");
  if (i.op == Opcode::Vdot)
    return "vdot " + at("R", i.rd) + ", " + a + ", " + at("M", i.rb) + (i.rc ? ", " + reg(i.rc) : "");
  return "vf." + name(isa::kFnNames, i.fn) + " " + at(name(isa::kDselNames, i.dsel), i.rd) + ", " + a + ", " +
         operand(b_in_memory ? "M" : name(isa::kBselNames, i.bsel), i.rb) + ", " +
         operand(two && !b_in_memory ? "M" : name(isa::kCselNames, i.csel), i.rc);
}

std::string vector_psum(const Instr& i) {
  if (i.op == Opcode::Vr) return "vr in=" + color(i.cin) + ", out=" + color(i.cout) + ", src=" + at("R", i.rc);
  const std::string out = i.out ? ", out=" + color(i.cout) : "";
  if (i.op == Opcode::Vb)
    return "vb " + (i.in ? "in=" + color(i.cin) : "src=" + at("M", i.ra)) + out + ", dst=" + at("M", i.rd);
  std::string text = "vs." + name(isa::kVsopNames, i.vsop) + (i.in ? " in=" + color(i.cin) + "," : "");
  text += " own=" + at(i.q ? "Q" : "R", i.rc) + out;
  if (i.d != isa::VsD::N) text += ", dst=" + at(name(isa::kVsdNames, i.d), i.rd);
  if (i.gather) text += i.cin == i.cout ? ", gather" : ", gather=" + color(i.cin);
  return text;
}

}  // namespace

std::string disassemble(std::uint32_t word) {
  const Instr i = isa::decode(word);
  if (i.known) {
    const isa::Info& info = *isa::info(i.op);
    const bool vector = static_cast<int>(i.op) >= static_cast<int>(Opcode::Vf);
    const std::string text = !vector                  ? scalar(info, word)
                             : !info.operands.empty() ? listed(info, word)
                             : info.main              ? vector_main(i)
                                                      : vector_psum(i);
    // Assembling the text again reveals words that it cannot express.
    try {
      if (assemble(text, "").words.at(0) == word) return text;
    } catch (const AssemblyError&) {
    }
  }
  char text[20];
  std::snprintf(text, sizeof text, ".word 0x%08x", word);
  return text;
}

}  // namespace weft::assembler
