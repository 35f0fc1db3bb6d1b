#include "host/inspect/debug/plan_workload.hpp"

#include "host/inspect/snapshot_to_rtl.hpp"
#include "sw/compiler/stream/expand.hpp"
#include "verif/wafer.hpp"

namespace weft::inspect::debug {

std::vector<machine::Message> PlanWorkload::messages(std::size_t phase) const {
  std::vector<machine::Message> messages;
  compiler::expand(plan_.ops.at(phase), parameters_, messages);
  return messages;
}

std::size_t PlanWorkload::find(const std::string& name) const { return find_phase(plan_, name); }

Names PlanWorkload::names(sim::TilePlace /*tile*/) const {
  return {.program = plan_.program, .arrays = plan_.arrays, .wafer = plan_.wafer, .width = plan_.tokens_per_column};
}

std::vector<machine::TileState> PlanWorkload::states(std::span<const machine::Message> tokens, std::size_t first,
                                                     int model_threads) const {
  const auto model = make_model_wafer(plan_.wafer, model_threads);
  model->feed(plan_.load);
  model->feed(tokens);
  for (std::size_t n = 0; n < first; ++n) model->feed(messages(n));
  model->settle();
  std::vector<machine::TileState> states;
  for (int r = 0; r < plan_.wafer.rows; ++r)
    for (int c = 0; c < plan_.wafer.cols; ++c) states.push_back(model->state(r, c));
  return states;
}

}  // namespace weft::inspect::debug
