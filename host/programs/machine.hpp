/// The wafer of a session, whose work can be interrupted and whose hangs are reported.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "sw/asm/program.hpp"
#include "verif/wafer.hpp"

namespace weft::programs {

class Machine {
 public:
  Machine(const machine::WaferShape& shape, const std::string& backend, int threads);

  Wafer& wafer() { return *wafer_; }
  const Wafer& wafer() const { return *wafer_; }

  /// Sends messages and runs until all tiles rest. `what`: subject of errors; `program`: of reports, may be null.
  /// Returns false if `interrupted` returned true. Throws Stopped if the wafer hangs, and Refusal if
  /// the functional model rejects the program.
  bool run(std::span<const machine::Message> messages, const std::string& what, const assembler::Program* program,
           const std::function<bool()>& interrupted = {});

 private:
  const std::unique_ptr<Wafer> wafer_;
};

}  // namespace weft::programs
