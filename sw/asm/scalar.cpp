#include "sw/asm/operands.hpp"
#include "sw/base/did_you_mean.hpp"

namespace weft::assembler {
namespace {

/// The first read-only control register; those after it are read-only, too.
constexpr auto kFirstReadOnly = static_cast<std::size_t>(isa::Csr::Row);

Complaint wrong_csr(const std::string& what, bool write) {
  std::string legal = "use";
  for (std::size_t csr = 0; csr < (write ? kFirstReadOnly : std::size(isa::kCsrNames)); ++csr)
    if (!isa::kCsrNames[csr].empty()) legal += " " + std::string(isa::kCsrNames[csr]);
  return {what, legal};
}

/// Reads the number of an existing control register, which must be writable if `write`.
std::uint32_t read_csr(Cursor& at, const Symbols& symbols, bool write) {
  constexpr std::span<const std::string_view> kNames = isa::kCsrNames;
  Cursor ahead = at;
  const std::string_view word = ahead.word();
  std::int64_t csr = value_of_name(kNames, word);
  if (csr >= 0) {
    at = ahead;
  } else {
    if (!word.empty() && std::isalpha(static_cast<unsigned char>(word.front()))) {
      const std::vector<std::string> names(kNames.begin(), kNames.end());
      if (const std::string hint = did_you_mean(word, names, ""); !hint.empty())
        throw Complaint{"unknown control register " + in_quotes(word), hint};
    }
    csr = symbols.read_expression(at);
  }
  const auto place = static_cast<std::size_t>(csr);
  if (place >= kNames.size() || kNames[place].empty())
    throw wrong_csr("there is no control register " + std::to_string(csr), write);
  if (write && place >= kFirstReadOnly)
    throw wrong_csr("control register " + std::string(kNames[place]) + " is read only", write);
  return static_cast<std::uint32_t>(csr);
}

std::uint32_t read_field(isa::Opcode op, const isa::Field& field, Cursor& at, const Symbols& symbols) {
  if (field.name == "csr") return read_csr(at, symbols, op == isa::Opcode::Csrw);
  if (field.name == "color") return read_color(at, symbols);
  if (field.name == "imm") return symbols.read_number(at, -32768, 65535, "immediate") & 0xffff;
  if (field.name == "target")
    return static_cast<std::uint32_t>(symbols.read_number(at, 0, isa::kIDepth - 1, "jump target"));
  if (field.name == "shamt") return static_cast<std::uint32_t>(symbols.read_number(at, 0, 15, "shift by"));
  return static_cast<std::uint32_t>(symbols.read_register(at));
}

std::string usage_of(std::string_view mnemonic, std::span<const isa::Field> fields) {
  std::string text(mnemonic);
  for (const isa::Field& field : fields) {
    text += text.size() == mnemonic.size() ? " " : ", ";
    text += field.name;
  }
  return in_quotes(text);
}

}  // namespace

int value_of_name(std::span<const std::string_view> names, std::string_view name) {
  for (std::size_t value = 0; value < names.size(); ++value)
    if (!name.empty() && names[value] == name) return static_cast<int>(value);
  return -1;
}

std::uint8_t read_color(Cursor& at, const Symbols& symbols) {
  Cursor ahead = at;
  std::int64_t color = value_of_name(isa::kColorNames, ahead.word());
  if (color >= 0) {
    at = ahead;
  } else {
    color = symbols.read_expression(at);
  }
  if (color == static_cast<int>(isa::Color::W))
    throw Complaint{"color W brings weights and commands to main", "use RING, NORTH, WEST, EAST or 1 to 31"};
  if (color < 0 || color > 31) throw Complaint{"color " + std::to_string(color) + " is out of range", "use 1 to 31"};
  return static_cast<std::uint8_t>(color);
}

std::uint32_t read_scalar(std::string_view mnemonic, isa::Opcode op, std::span<const isa::Field> fields, Cursor& at,
                          const Symbols& symbols) {
  const std::string usage = usage_of(mnemonic, fields);
  std::uint32_t word = static_cast<std::uint32_t>(op) << 26;
  for (const isa::Field& field : fields) {
    if (&field != &fields.front()) at.expect(',', usage);
    word |= read_field(op, field, at, symbols) << field.lsb;
  }
  at.expect_end(usage);
  return word;
}

}  // namespace weft::assembler
