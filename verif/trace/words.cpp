#include "verif/trace/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include "isa.hpp"
#include "sw/machine/message.hpp"
#include "sw/machine/shape.hpp"

namespace weft::trace {
namespace {

std::string decimal(float x, int digits) {
  if (std::isnan(x)) return "nan";
  return fmt::format("{:.{}g}", x, digits);
}

isa::Opcode op_of(std::uint32_t word) { return static_cast<isa::Opcode>(word >> 26); }

/// Value of a field of a legal instruction; 0 if the instruction has no such field.
unsigned field(std::uint32_t word, std::string_view name) {
  for (const isa::Field& f : isa::info(op_of(word))->fields)
    if (f.name == name) return word >> f.lsb & ((1u << (f.msb - f.lsb + 1)) - 1);
  return 0;
}

std::string place_word(int number) { return number == machine::Selection::kAll ? "*" : std::to_string(number); }

std::string outputs_word(unsigned outputs) {
  std::string text;
  for (unsigned p = 0; p < std::size(isa::kPortNames); ++p)
    if (outputs >> p & 1) text += " " + std::string(isa::kPortNames[p]);
  return text.empty() ? " nowhere" : text;
}

std::string command_words(std::uint32_t data, const MessageNames& names) {
  const unsigned code = data >> 24, arg = data >> 16 & 255;
  const auto value = static_cast<std::uint16_t>(data);
  switch (static_cast<isa::Command>(code)) {
    case isa::Command::Select:
      return fmt::format("CMD select row {} col {}", place_word(machine::Selection::of(data).row),
                         place_word(machine::Selection::of(data).col));
    case isa::Command::Setreg:
      return fmt::format("CMD r{}={}", arg, value);
    case isa::Command::Call: {
      const auto kernel = names.kernels.find(value);
      return kernel != names.kernels.end() ? "CMD call " + kernel->second : fmt::format("CMD call {}", value);
    }
    case isa::Command::Route: {
      const unsigned port = value >> 8 & 7;
      return fmt::format("CMD route {} {} ->{}", color_word(value >> 11),
                         port < std::size(isa::kPortNames) ? isa::kPortNames[port] : "?", outputs_word(value & 31));
    }
    case isa::Command::CR:
      return "CMD CR";
    default:
      break;
  }
  if (code >= std::size(isa::kCmdNames)) return fmt::format("CMD ? {:#010x}", data);
  return fmt::format("CMD {} {:#x}", isa::kCmdNames[code], value);
}

}  // namespace

std::string decimal_bf16(std::uint16_t bits) { return decimal(std::bit_cast<float>(std::uint32_t{bits} << 16), 4); }
std::string decimal_fp32(std::uint32_t bits) { return decimal(std::bit_cast<float>(bits), 6); }

std::string color_word(unsigned color) {
  return color < std::size(isa::kColorNames) ? std::string(isa::kColorNames[color]) : std::to_string(color);
}

std::string_view message_kind(unsigned color) {
  constexpr std::string_view kKinds[] = {"W", "PSUM", "SUM", "OUT"};
  return color < std::size(kKinds) ? kKinds[color] : "";
}

std::string message_words(unsigned color, bool ctrl, std::uint32_t data, const MessageNames& names) {
  const auto low = static_cast<std::uint16_t>(data), high = static_cast<std::uint16_t>(data >> 16);
  if (ctrl) return command_words(data, names);
  if (color == static_cast<unsigned>(isa::Color::W)) {
    const int shift = machine::WaferShape{.rows = names.rows}.row_shift();
    return fmt::format("W {} -> row {} {}", high & ((1 << shift) - 1), high >> shift, decimal_bf16(low));
  }
  if (names.pairs >> color & 1) return fmt::format("PAIR {} {}", decimal_bf16(low), decimal_bf16(high));
  if (const auto kind = message_kind(color); !kind.empty()) return fmt::format("{} {}", kind, decimal_fp32(data));
  return fmt::format("{}: {}", color, decimal_fp32(data));
}

InstructionNames::InstructionNames(const assembler::Program& p) : program(p) {
  for (const auto& [name, address] : p.labels) labels_.try_emplace(address, name);
  for (const assembler::Kernel& kernel : p.kernels) labels_[kernel.address] = kernel.name;
}

std::string InstructionNames::label(unsigned pc) const {
  auto after = labels_.upper_bound(static_cast<std::uint16_t>(pc));
  if (after == labels_.begin()) return std::to_string(pc);
  --after;
  return pc == after->first ? after->second : fmt::format("{}+{}", after->second, pc - after->first);
}

std::string InstructionNames::place(unsigned pc) const {
  if (pc >= program.lines.size()) return "";
  const assembler::SourceLine& line = program.lines[pc];
  const std::string& file = program.files.at(line.file);
  return fmt::format("{}:{}", file.substr(file.rfind('/') + 1), line.line);
}

std::string InstructionNames::at(unsigned pc) const {
  if (pc >= program.words.size()) return std::to_string(pc);
  return fmt::format("{}  {} {}", assembler::disassemble(program.words[pc]), label(pc), place(pc));
}

std::vector<unsigned> reached(const assembler::Program& program, unsigned address) {
  std::set<unsigned> seen;
  std::vector<unsigned> next = {address};
  while (!next.empty()) {
    const unsigned pc = next.back();
    next.pop_back();
    if (pc >= program.words.size()) continue;
    const std::uint32_t word = program.words[pc];
    const isa::Info* info = isa::info(op_of(word));
    if (info == nullptr || !seen.insert(pc).second) continue;
    for (const isa::Field& f : info->fields)
      if (f.name == "target") next.push_back(field(word, f.name));
    const bool leaves = info->op == isa::Opcode::Halt || info->op == isa::Opcode::Jr ||
                        (info->op == isa::Opcode::Jal && !field(word, "rd"));
    if (!leaves) next.push_back(pc + 1);
  }
  return {seen.begin(), seen.end()};
}

bool reaches(const assembler::Program& program, unsigned address, isa::Opcode op) {
  return std::ranges::any_of(reached(program, address), [&](unsigned pc) { return op_of(program.words[pc]) == op; });
}

std::uint32_t pair_colors(const assembler::Program& program, unsigned address) {
  std::uint32_t pairs = 0;
  for (const unsigned pc : reached(program, address)) {
    const std::uint32_t word = program.words[pc];
    if (op_of(word) != isa::Opcode::Vb) continue;
    if (field(word, "in")) pairs |= 1u << field(word, "cin");
    if (field(word, "out")) pairs |= 1u << field(word, "cout");
  }
  return pairs;
}

}  // namespace weft::trace
