/// Routes that are set at a phase.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "host/inspect/snapshot_to_rtl.hpp"
#include "isa_machine.hpp"

namespace weft::inspect::debug {

/// Sends ROUTE commands for RING to all tiles before `phase` begins.
inline std::function<void(compiler::Plan&)> rerouted(const std::string& phase,
                                                     std::vector<std::pair<isa::Port, unsigned>> routes) {
  return [=](compiler::Plan& plan) {
    auto& stream = plan.ops[find_phase(plan, phase)].commands;
    for (const auto& [port, outputs] : routes) {
      const auto value = static_cast<std::uint16_t>(1u << 11 | static_cast<unsigned>(port) << 8 | outputs);
      stream.insert(stream.begin(),
                    {machine::Message::command(machine::Command::Route, 0, value).data, compiler::StreamEntry::kCtrl});
    }
  };
}

}  // namespace weft::inspect::debug
