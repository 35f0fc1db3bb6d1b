#include "host/planning/estimate/calls.hpp"

#include <algorithm>
#include <array>

namespace weft::planning {

std::vector<StreamCall> stream_calls(const assembler::Program& program, const compiler::Op& op) {
  const auto code = [](machine::Command c) { return machine::Message::command(c, 0, 0).data >> 24; };
  const std::uint32_t setreg = code(machine::Command::Setreg), call = code(machine::Command::Call);
  std::array<int, 16> registers{};
  std::vector<StreamCall> calls;
  int commands = 0;
  for (const compiler::StreamEntry& command : op.commands) {
    ++commands;
    if (command.data >> 24 == setreg) {
      registers[command.data >> 16 & 15] = static_cast<int>(command.data & 0xffff);
    } else if (command.data >> 24 == call) {
      StreamCall& made = calls.emplace_back();
      const auto at =
          std::ranges::find(program.kernels, static_cast<std::uint16_t>(command.data), &assembler::Kernel::address);
      if (at != program.kernels.end()) {
        made.kernel = at->name;
        for (const assembler::Parameter& p : at->parameters)
          made.arguments[p.name] = registers[static_cast<std::size_t>(p.reg)];
      }
      made.commands = commands;
      commands = 0;
    }
  }
  if (!calls.empty() && !op.descriptor.empty()) calls.back().descriptor = &op.descriptor;
  return calls;
}

}  // namespace weft::planning
