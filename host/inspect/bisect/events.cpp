#include "host/inspect/bisect/events.hpp"

#include <fmt/format.h>

namespace weft::inspect::bisect {

std::string instruction(const Cause& cause, const trace::InstructionNames& names) {
  return fmt::format("{} {}: {}", cause.thread == 0 ? "main" : "psum", cause.pc, names.at(cause.pc));
}

Events::Events(const assembler::Program& program, int rows)
    : EventSource(program), names_(program), words_{.rows = rows, .kernels = {}} {
  for (const assembler::Kernel& kernel : program.kernels) words_.kernels[kernel.address] = kernel.name;
}

void Events::event(const TileEvent& e) {
  const std::string by = e.cause ? instruction(*e.cause, names_) : "";
  switch (e.kind) {
    case TileEvent::Kind::Takes:
    case TileEvent::Kind::Sends:
      events_.push_back(
          {fmt::format("{} {}", e.kind == TileEvent::Kind::Takes ? "takes" : "sends", trace::color_word(e.index)),
           fmt::format("{:08x} {}", e.value, trace::message_words(e.index, e.ctrl, e.value, words_)), by});
      break;
    case TileEvent::Kind::Accumulator:
      events_.push_back({fmt::format("R[{}] lane {}", e.index, e.lane),
                         fmt::format("{:08x} {}", e.value, trace::decimal_fp32(e.value)), e.cause ? by : "command"});
      break;
    case TileEvent::Kind::Memory: {
      const auto value = static_cast<std::uint16_t>(e.value);
      events_.push_back({fmt::format("M[{:#x}]", e.index), fmt::format("{:04x} {}", value, trace::decimal_bf16(value)),
                         e.cause ? by : "command"});
      break;
    }
  }
}

}  // namespace weft::inspect::bisect
