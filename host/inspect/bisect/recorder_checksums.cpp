/// Records the checksums of a step, phase by phase.
#include <fmt/format.h>

#include "host/inspect/bisect/describe.hpp"
#include "host/inspect/bisect/micro_batch.hpp"
#include "host/inspect/bisect/recorder.hpp"
#include "sw/base/crc32c.hpp"
#include "sw/compiler/graph/graph.hpp"
#include "sw/network/former_phase_names.hpp"

namespace weft::inspect::bisect {
namespace {

template <class Number>
std::string sum(std::span<const Number> numbers) {
  return fmt::format("{:08x}", crc32c({reinterpret_cast<const std::uint8_t*>(numbers.data()), numbers.size_bytes()}));
}

void tile(const Wafer& wafer, int row, int col, PhaseSums& phase) {
  const machine::TileState state = wafer.state(row, col);
  std::vector<std::uint8_t> routes;
  for (const auto& port : state.routes) routes.insert(routes.end(), port.begin(), port.end());
  phase.tiles.push_back(sum(std::span<const std::uint16_t>(state.memory)));
  phase.flags.push_back(flag_words(state.flags));
  phase.routes.push_back(sum(std::span<const std::uint8_t>(routes)));
}

}  // namespace

Phases Recorder::phases(std::uint64_t step) {
  auto run = trained(step - 1);
  run->update_masks();
  const compiler::Plan& plan = run->plan();
  const std::span<const float> parameters = run->memoryx().store().weights();
  const machine::WaferShape& shape = plan.wafer;
  const network::FormerPhaseNames former = compiler::former_phase_names(plan.model);
  Phases fingerprint{.rows = shape.rows, .cols = shape.cols, .lanes = shape.lanes, .micro_batches = {}};
  for (int m = 0; m < run->data().micro_batches(); ++m) {
    const auto wafer = wafers_(m);
    const std::vector<machine::Message> tokens = this->tokens(*run, step, static_cast<std::uint64_t>(m));
    PhaseRunner runner(plan, parameters, tokens, *wafer, step, static_cast<std::uint64_t>(m));
    MicroBatch& said = fingerprint.micro_batches.emplace_back();
    for (std::size_t n = 0; n < runner.count() && said.stopped.empty(); ++n) {
      const std::vector<machine::Message> messages = runner.messages(n);
      const StreamSums stream = sums(messages, plan.program);
      PhaseSums& phase = said.phases.emplace_back();
      phase.name = runner.name(n);
      phase.former = former.former(phase.name);
      phase.data = stream.data;
      phase.control = stream.control;
      try {
        runner.run(n, messages);
      } catch (const WaferHang& hang) {
        said.stopped = hang.what();
      }
      for (int r = 0; r < shape.rows; ++r) {
        phase.returned += sum(std::span<const std::uint32_t>(wafer->outlet(r)));
        for (int c = 0; c < shape.cols && said.stopped.empty(); ++c) tile(*wafer, r, c, phase);
      }
    }
  }
  return fingerprint;
}

}  // namespace weft::inspect::bisect
