/// A micro-batch of a training run as the work of a debugger's wafer.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "host/inspect/debug/workload.hpp"
#include "sw/compiler/plan/plan.hpp"

namespace weft::inspect::debug {

class PlanWorkload final : public Workload {
 public:
  /// Both arguments must outlive this object.
  PlanWorkload(const compiler::Plan& plan, std::span<const float> parameters) : plan_(plan), parameters_(parameters) {}

  std::string_view what() const override { return "micro-batch"; }
  const machine::WaferShape& shape() const override { return plan_.wafer; }
  std::span<const machine::Message> load() const override { return plan_.load; }
  std::size_t phases() const override { return plan_.ops.size(); }
  const std::string& name(std::size_t phase) const override { return plan_.ops.at(phase).name; }
  std::vector<machine::Message> messages(std::size_t phase) const override;
  std::size_t find(const std::string& name) const override;
  Names names(sim::TilePlace tile) const override;
  deadlock::Programs programs() const override { return &plan_.program; }

  /// The state of all tiles before phase `first`, [row * cols + col], which the functional model reaches.
  std::vector<machine::TileState> states(std::span<const machine::Message> tokens, std::size_t first,
                                         int model_threads) const;

 private:
  const compiler::Plan& plan_;
  std::span<const float> parameters_;
};

}  // namespace weft::inspect::debug
