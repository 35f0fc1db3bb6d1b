#include "sw/asm/instruction.hpp"

#include <algorithm>

#include "sw/asm/operands.hpp"
#include "sw/base/did_you_mean.hpp"

namespace weft::assembler {
namespace {

/// Pseudo-instruction: another spelling of an instruction, whose operands are `fields` fields from `first_field` on;
/// the other fields are 0.
struct Pseudo {
  std::string_view name;
  isa::Opcode op;
  std::string_view first_field;
  std::size_t fields;
};
constexpr Pseudo kPseudos[] = {
    {"jmp", isa::Opcode::Jal, "target", 1},
    {"mov", isa::Opcode::Addi, "rd", 2},
    {"ret", isa::Opcode::Jr, "ra", 1},
};

/// `vf` of `vf.fma`
std::string_view stem(std::string_view mnemonic) {
  return mnemonic.substr(0, std::min(mnemonic.find('.', 1), mnemonic.size()));
}

Complaint unknown_instruction(std::string_view mnemonic, std::span<const std::string> others) {
  std::vector<std::string> names(others.begin(), others.end());
  for (const Pseudo& pseudo : kPseudos) names.emplace_back(pseudo.name);
  for (const isa::Info& info : isa::kInstrs) {
    if (info.op != isa::Opcode::Vf && info.op != isa::Opcode::Vs) names.emplace_back(info.name);
  }
  for (const std::string_view fn : isa::kFnNames) names.push_back("vf." + std::string(fn));
  for (const std::string_view op : isa::kVsopNames) names.push_back("vs." + std::string(op));
  return {"unknown instruction " + in_quotes(mnemonic),
          did_you_mean(mnemonic, names, "docs/reference/isa.md lists them")};
}

}  // namespace

bool is_instruction(std::string_view mnemonic) {
  const auto called_so = [name = stem(mnemonic)](const auto& one) { return one.name == name; };
  return std::ranges::any_of(kPseudos, called_so) || std::ranges::any_of(isa::kInstrs, called_so);
}

std::uint32_t read_instruction(std::string_view mnemonic, Cursor& at, const Symbols& symbols,
                               std::span<const std::string> others) {
  for (const Pseudo& pseudo : kPseudos) {
    if (mnemonic != pseudo.name) continue;
    std::span<const isa::Field> fields = isa::info(pseudo.op)->fields;
    while (fields.front().name != pseudo.first_field) fields = fields.subspan(1);
    return read_scalar(mnemonic, pseudo.op, fields.first(pseudo.fields), at, symbols);
  }
  const std::string_view name = stem(mnemonic);
  for (const isa::Info& info : isa::kInstrs) {
    const bool vector = static_cast<int>(info.op) >= static_cast<int>(isa::Opcode::Vf);
    if (!vector && mnemonic == info.name) return read_scalar(mnemonic, info.op, info.fields, at, symbols);
    if (vector && name == info.name)
      return read_vector(info, name == mnemonic ? "" : mnemonic.substr(name.size() + 1), at, symbols);
  }
  throw unknown_instruction(mnemonic, others);
}

}  // namespace weft::assembler
