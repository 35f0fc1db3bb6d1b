#include "host/appliance/estimate/calls.hpp"

#include <algorithm>
#include <array>

namespace weft {

std::uint64_t StreamCall::messages() const {
  std::uint64_t sum = static_cast<std::uint64_t>(commands);
  for (const StreamLine& line : lines) sum += line.rows.size() + 1;
  return sum;
}

std::vector<StreamCall> stream_calls(const Program& program, const WaferShape& wafer,
                                     std::span<const Message> messages) {
  const auto code = [](Command c) { return Message::command(c, 0, 0).data >> 24; };
  const std::uint32_t setreg = code(Command::Setreg), call = code(Command::Call), cr = code(Command::CR);
  std::array<int, 16> registers{};
  std::vector<StreamCall> calls;
  StreamLine line;
  int commands = 0;
  for (const Message& m : messages) {
    if (!m.ctrl) {
      line.rows.push_back(static_cast<std::uint8_t>(m.data >> 16 >> wafer.row_shift()));
      continue;
    }
    ++commands;
    if (m.data >> 24 == setreg) {
      registers[m.data >> 16 & 15] = static_cast<int>(m.data & 0xffff);
    } else if (m.data >> 24 == call) {
      StreamCall& made = calls.emplace_back();
      const auto at = std::ranges::find(program.kernels, static_cast<std::uint16_t>(m.data), &Kernel::address);
      if (at != program.kernels.end()) {
        made.kernel = at->name;
        for (const Parameter& p : at->parameters) made.arguments[p.name] = registers[static_cast<std::size_t>(p.reg)];
      }
      made.commands = commands;
      commands = 0;
    } else if (m.data >> 24 == cr && !calls.empty()) {
      calls.back().lines.push_back(std::move(line));
      line.rows.clear();
    }
  }
  return calls;
}

}  // namespace weft
