#include "host/inspect/bisect/describe.hpp"

#include <fmt/format.h>

#include <map>

#include "sw/base/crc32c.hpp"
#include "sw/compiler/stream/expand.hpp"
#include "verif/trace/words.hpp"

namespace weft::inspect::bisect {
namespace {

std::string kernel_at(const assembler::Program& program, unsigned address) {
  for (const assembler::Kernel& kernel : program.kernels)
    if (kernel.address == address) return kernel.name;
  return fmt::format("{}", address);
}

bool is(const machine::Message& m, machine::Command code) {
  return m.ctrl && m.data >> 24 == static_cast<unsigned>(code);
}

std::uint32_t add(std::uint32_t sum, std::uint32_t word) {
  const std::uint8_t bytes[] = {static_cast<std::uint8_t>(word), static_cast<std::uint8_t>(word >> 8),
                                static_cast<std::uint8_t>(word >> 16), static_cast<std::uint8_t>(word >> 24)};
  return crc32c(bytes, sum);
}

std::string parameter_name(const compiler::Plan& plan, std::uint64_t n) {
  for (const compiler::TensorInfo& t : plan.tensors)
    if (n >= t.offset && n < t.offset + t.size) return element_name(t.name, t.dims, n - t.offset);
  return "";
}

}  // namespace

StreamSums sums(std::span<const machine::Message> messages, const assembler::Program& program) {
  std::uint32_t data = 0, control = 0;
  for (const machine::Message& m : messages) {
    if (!m.ctrl) {
      data = add(data, m.data);
    } else if (is(m, machine::Command::Call)) {
      const std::string name = kernel_at(program, m.data & 0xffff);
      control = crc32c({reinterpret_cast<const std::uint8_t*>(name.data()), name.size()}, control);
    } else {
      control = add(control, m.data);
    }
  }
  return {fmt::format("{:08x}", data), fmt::format("{:08x}", control)};
}

std::vector<std::string> describe(std::span<const machine::Message> messages, const compiler::Op* op,
                                  const compiler::Plan& plan) {
  trace::MessageNames names{.rows = plan.wafer.rows, .kernels = {}};
  for (const assembler::Kernel& kernel : plan.program.kernels) names.kernels[kernel.address] = kernel.name;
  const trace::InstructionNames instructions(plan.program);
  const std::vector<compiler::StreamEntry> planned =
      op == nullptr ? std::vector<compiler::StreamEntry>{} : compiler::entries(*op);
  std::vector<std::string> lines;
  std::uint32_t address = 0, half = 0;
  for (std::size_t n = 0; n < messages.size(); ++n) {
    const machine::Message& m = messages[n];
    // The address of a CALL is omitted: the kernel's name follows, and it is the same in every commit.
    const std::string word = is(m, machine::Command::Call) ? "" : fmt::format("{:08x} ", m.data);
    std::string line = word + trace::message_words(static_cast<unsigned>(machine::Color::W), m.ctrl, m.data, names);
    if (planned.size() == messages.size() && planned[n].source < compiler::StreamEntry::kLiteral)
      line += " = " + parameter_name(plan, planned[n].source);
    if (is(m, machine::Command::Iaddr)) address = m.data & 0xffff;
    // Either half of an instruction prints the whole instruction.
    const bool low =
        is(m, machine::Command::Ilo) && n + 1 < messages.size() && is(messages[n + 1], machine::Command::Ihi);
    if (low) half = m.data & 0xffff;
    if (low || is(m, machine::Command::Ihi)) {
      const std::uint32_t high = low ? messages[n + 1].data : m.data;
      line += fmt::format(": I[{}] = {}  {} {}", address, assembler::disassemble(high << 16 | half),
                          instructions.label(address), instructions.place(address));
    }
    if (is(m, machine::Command::Ihi)) ++address;
    lines.push_back(std::move(line));
  }
  return lines;
}

std::vector<std::string> arrays(const compiler::Plan& plan) {
  std::vector<std::string> lines;
  for (const compiler::ArraySymbol& array : plan.arrays)
    lines.push_back(fmt::format("{:04x} {}", array.address, array.name));
  return lines;
}

std::string flag_words(std::uint8_t flags) {
  std::string words;
  for (std::size_t bit = 0; bit < std::size(isa::kFlagNames); ++bit)
    if (flags >> bit & 1) words += (words.empty() ? "" : " ") + std::string(isa::kFlagNames[bit]);
  return words.empty() ? "none" : words;
}

std::vector<std::string> route_words(const machine::TileState& state) {
  std::vector<std::string> lines;
  for (std::size_t port = 0; port < state.routes.size(); ++port) {
    for (std::size_t color = 0; color < state.routes[port].size(); ++color) {
      if (state.routes[port][color] == 0) continue;
      const auto value = static_cast<std::uint16_t>(color << 11 | port << 8 | state.routes[port][color]);
      const machine::Message command = machine::Message::command(machine::Command::Route, 0, value);
      const std::string words = trace::message_words(static_cast<unsigned>(machine::Color::W), true, command.data, {});
      lines.push_back(words.substr(words.find("route")));
    }
  }
  return lines;
}

}  // namespace weft::inspect::bisect
