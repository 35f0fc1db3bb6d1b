#include "sw/compiler/program/call.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace weft::compiler {
namespace {

void require(bool ok, std::string_view kernel, const std::string& problem) {
  if (!ok) throw std::invalid_argument(fmt::format("call of {}: {}", kernel, problem));
}

}  // namespace

std::vector<machine::Message> call_messages(const assembler::Program& program, std::string_view name,
                                            const std::vector<Argument>& arguments) {
  const assembler::Kernel* const kernel = program.kernel(name);
  require(kernel != nullptr, name, "the program has no such kernel");
  for (const Argument& a : arguments)
    require(std::ranges::count(kernel->parameters, a.name, &assembler::Parameter::name) == 1, name,
            fmt::format("it has no argument {}", a.name));
  std::vector<machine::Message> messages;
  for (const assembler::Parameter& parameter : kernel->parameters) {
    const auto given = std::ranges::find(arguments, parameter.name, &Argument::name);
    require(given != arguments.end(), name, fmt::format("argument {} is missing", parameter.name));
    require(std::ranges::count(arguments, parameter.name, &Argument::name) == 1, name,
            fmt::format("argument {} is given twice", parameter.name));
    require(given->value >= -32768 && given->value <= 65535, name,
            fmt::format("argument {} is {}, which a register of 16 bits does not hold", parameter.name, given->value));
    messages.push_back(machine::Message::command(machine::Command::Setreg, static_cast<std::uint8_t>(parameter.reg),
                                                 static_cast<std::uint16_t>(given->value)));
  }
  messages.push_back(machine::Message::command(machine::Command::Call, 0, kernel->address));
  return messages;
}

}  // namespace weft::compiler
