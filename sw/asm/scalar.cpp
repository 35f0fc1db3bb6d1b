#include "sw/asm/nearest.hpp"
#include "sw/asm/operands.hpp"

namespace weft::assembler {
namespace {

std::uint32_t read_csr(Cursor& at, const Symbols& symbols) {
  Cursor ahead = at;
  const std::string_view name = ahead.word();
  if (const int value = value_of_name(isa::kCsrNames, name); value >= 0) {
    at = ahead;
    return static_cast<std::uint32_t>(value);
  }
  if (!name.empty() && std::isalpha(static_cast<unsigned char>(name.front()))) {
    const std::vector<std::string> names(std::begin(isa::kCsrNames), std::end(isa::kCsrNames));
    if (const std::string near = nearest(name, names); !near.empty())
      throw Complaint{"unknown control register " + quoted(name), "did you mean '" + near + "'?"};
  }
  return static_cast<std::uint32_t>(symbols.read_number(at, 0, 15, "control register"));
}

std::uint32_t read_field(const isa::Field& field, Cursor& at, const Symbols& symbols) {
  if (field.name == "csr") return read_csr(at, symbols);
  if (field.name == "color") return read_color(at, symbols);
  if (field.name == "imm") return symbols.read_number(at, -32768, 65535, "immediate") & 0xffff;
  if (field.name == "target") return static_cast<std::uint32_t>(symbols.read_number(at, 0, 65535, "jump target"));
  if (field.name == "shamt") return static_cast<std::uint32_t>(symbols.read_number(at, 0, 15, "shift by"));
  return static_cast<std::uint32_t>(symbols.read_register(at));
}

std::string usage_of(std::string_view mnemonic, std::span<const isa::Field> fields) {
  std::string text(mnemonic);
  for (const isa::Field& field : fields) {
    text += text.size() == mnemonic.size() ? " " : ", ";
    text += field.name;
  }
  return quoted(text);
}

}  // namespace

int value_of_name(std::span<const std::string_view> names, std::string_view name) {
  for (std::size_t value = 0; value < names.size(); ++value)
    if (!name.empty() && names[value] == name) return static_cast<int>(value);
  return -1;
}

std::uint8_t read_color(Cursor& at, const Symbols& symbols) {
  Cursor ahead = at;
  if (const int value = value_of_name(isa::kColorNames, ahead.word()); value >= 0) {
    at = ahead;
    return static_cast<std::uint8_t>(value);
  }
  return static_cast<std::uint8_t>(symbols.read_number(at, 0, 31, "color"));
}

std::uint32_t read_scalar(std::string_view mnemonic, isa::Op op, std::span<const isa::Field> fields, Cursor& at,
                          const Symbols& symbols) {
  const std::string usage = usage_of(mnemonic, fields);
  std::uint32_t word = static_cast<std::uint32_t>(op) << 26;
  for (const isa::Field& field : fields) {
    if (&field != &fields.front()) at.expect(',', usage);
    word |= read_field(field, at, symbols) << field.lsb;
  }
  at.expect_end(usage);
  return word;
}

}  // namespace weft::assembler
