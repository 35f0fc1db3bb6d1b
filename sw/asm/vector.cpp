#include "sw/asm/vector.hpp"

#include <algorithm>

#include "sw/base/did_you_mean.hpp"

namespace weft::assembler {

Operand read_operand(Cursor& at, const Symbols& symbols, std::initializer_list<std::string_view> kinds,
                     std::string_view role) {
  const Cursor before = at;
  Operand operand{at.word()};
  if (std::find(kinds.begin(), kinds.end(), operand.kind) == kinds.end()) {
    std::string choices;
    for (const std::string_view kind : kinds)
      choices += (choices.empty() ? "" : ", ") + std::string(kind) + (kind == "A" || kind == "Z" ? "" : "[r]");
    throw Complaint{"wrong operand for " + std::string(role) + " " + before.here(), "use " + choices};
  }
  if (operand.kind == "A" || operand.kind == "Z") return operand;
  at.expect('[', std::string(operand.kind) + "[r1]");
  operand.reg = static_cast<std::uint8_t>(symbols.read_register(at));
  at.expect(']', std::string(operand.kind) + "[r1]");
  return operand;
}

int read_suffix(std::string_view mnemonic, std::string_view suffix, std::span<const std::string_view> names) {
  if (const int value = value_of_name(names, suffix); value >= 0) return value;
  std::string all;
  for (const std::string_view name : names)
    all += (all.empty() ? "" : ", ") + std::string(mnemonic) + "." + std::string(name);
  if (suffix.empty()) throw Complaint{in_quotes(mnemonic) + " needs a function", "use one of " + all};
  throw Complaint{"unknown function " + in_quotes(suffix) + " of " + in_quotes(mnemonic),
                  did_you_mean(suffix, std::vector<std::string>(names.begin(), names.end()), "use one of " + all)};
}

namespace {

/// An instruction whose operands are in its row of isa::kInstrs.
std::uint32_t read_listed(const isa::Info& info, Cursor& at, const Symbols& symbols) {
  std::string usage;
  for (const isa::Operand& operand : info.operands)
    usage += (usage.empty() ? " " : ", ") + std::string(operand.kind) + "[" + std::string(operand.example) + "]";
  usage = in_quotes(std::string(info.name) + usage);
  std::uint32_t word = static_cast<std::uint32_t>(info.op) << 26;
  for (const isa::Operand& operand : info.operands) {
    if (&operand != &info.operands.front()) at.expect(',', usage);
    word |= std::uint32_t{read_operand(at, symbols, {operand.kind}, operand.role).reg} << operand.lsb;
  }
  at.expect_end(usage);
  return word;
}

}  // namespace

std::uint32_t read_vector(const isa::Info& info, std::string_view suffix, Cursor& at, const Symbols& symbols) {
  if (!suffix.empty() && info.op != isa::Opcode::Vf && info.op != isa::Opcode::Vs)
    throw Complaint{in_quotes(info.name) + " has no functions", "write " + in_quotes(info.name)};
  if (!info.operands.empty()) return read_listed(info, at, symbols);
  return isa::encode(info.main ? read_main(info.op, suffix, at, symbols) : read_psum(info.op, suffix, at, symbols));
}

}  // namespace weft::assembler
