/// Runs a micro-batch on a wafer of its own, phase by phase, with the wafer at rest after each.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sw/compiler/plan/plan.hpp"
#include "verif/wafer.hpp"

namespace weft::inspect::bisect {

class PhaseRunner {
 public:
  /// All references must outlive this object. `step` counts from 1.
  PhaseRunner(const compiler::Plan& plan, std::span<const float> parameters, std::span<const machine::Message> tokens,
              Wafer& wafer, std::uint64_t step, std::uint64_t micro_batch);

  /// Number of phases: `load`, `tokens`, and the plan's.
  std::size_t count() const { return plan_.ops.size() + 2; }
  std::string name(std::size_t n) const;
  /// Null for `load` and `tokens`.
  const compiler::Op* op(std::size_t n) const { return n < 2 ? nullptr : &plan_.ops[n - 2]; }
  std::vector<machine::Message> messages(std::size_t n) const;
  /// Feeds `messages` as phase n and waits until nothing moves. Afterwards the outlets hold the words of this phase
  /// alone. Throws WaferHang.
  void run(std::size_t n, std::span<const machine::Message> messages);
  /// Number of the phase of this name. Throws Refusal of `--phase`.
  std::size_t find(const std::string& name) const;

 private:
  const compiler::Plan& plan_;
  std::span<const float> parameters_;
  std::span<const machine::Message> tokens_;
  Wafer& wafer_;
  std::uint64_t step_, micro_batch_;
};

}  // namespace weft::inspect::bisect
