#include "verif/trace/tile_calls.hpp"

#include <fmt/format.h>

#include <utility>

#include "isa_machine.hpp"
#include "sw/machine/message.hpp"

namespace weft::trace {
namespace {

/// Formats an argument: small numbers are counts, large ones addresses.
std::string argument(const std::string& name, unsigned value) {
  return value < 256 ? fmt::format(" {}={}", name, value) : fmt::format(" {}={:#x}", name, value);
}

}  // namespace

void TileCalls::observe(std::uint64_t message) {
  if (!(message >> 37 & 1)) return;
  const unsigned arg = message >> 16 & 255;
  const auto value = static_cast<std::uint16_t>(message);
  const machine::Selection tiles = machine::Selection::of(static_cast<std::uint32_t>(message));
  switch (static_cast<isa::Command>(message >> 24 & 255)) {
    case isa::Command::Select:
      selected_ = tiles.has_row(place_.row) && tiles.has_col(place_.col);
      break;
    case isa::Command::Setreg:
      if (selected_ && arg < registers_.size()) registers_[arg] = value;
      break;
    case isa::Command::Call: {
      if (!selected_) break;
      std::string text = fmt::format("pc {}", value);
      if (program_ != nullptr) {
        for (const assembler::Kernel& kernel : program_->kernels) {
          if (kernel.address != value) continue;
          text = kernel.name;
          for (const assembler::Parameter& p : kernel.parameters)
            text += argument(p.name, registers_.at(static_cast<std::size_t>(p.reg)));
        }
      }
      called_.push_back(std::move(text));
      break;
    }
    default:
      break;
  }
}

void TileCalls::begins() {
  if (called_.empty()) return;
  running_ = std::move(called_.front());
  called_.pop_front();
}

}  // namespace weft::trace
