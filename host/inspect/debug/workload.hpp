/// Work of a debugger's wafer: the messages that load it, phases of further messages, and the names in them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "host/inspect/debug/target.hpp"
#include "sw/deadlock/report.hpp"
#include "sw/machine/message.hpp"

namespace weft::inspect::debug {

class Workload {
 public:
  virtual ~Workload() = default;

  /// "micro-batch": all phases together.
  virtual std::string_view what() const = 0;
  virtual const machine::WaferShape& shape() const = 0;
  /// Messages that load programs and routes after a reset.
  virtual std::span<const machine::Message> load() const = 0;
  /// Number of phases, at least 1. The wafer rests between two of them.
  virtual std::size_t phases() const = 0;
  virtual const std::string& name(std::size_t phase) const = 0;
  virtual std::vector<machine::Message> messages(std::size_t phase) const = 0;
  /// Number of the phase of this name. Throws Refusal.
  virtual std::size_t find(const std::string& name) const = 0;
  virtual Names names(sim::TilePlace tile) const = 0;
  virtual deadlock::Programs programs() const = 0;
};

}  // namespace weft::inspect::debug
