/// Records one phase, message by message and event by event.
#include <fmt/format.h>

#include "host/backends/backend.hpp"
#include "host/inspect/bisect/describe.hpp"
#include "host/inspect/bisect/events.hpp"
#include "host/inspect/bisect/micro_batch.hpp"
#include "host/inspect/bisect/recorder.hpp"
#include "verif/sim/clocked_wafer.hpp"

namespace weft::inspect::bisect {

Phase Recorder::phase(const Request& request) {
  const machine::WaferShape& shape = plan_.wafer;
  auto run = trained(request.step - 1);
  run->update_masks();
  const compiler::Plan& plan = run->plan();
  const std::vector<machine::Message> tokens = this->tokens(*run, request.step, request.micro_batch);
  const auto wafer = wafers_(static_cast<int>(request.micro_batch));
  PhaseRunner runner(plan, run->memoryx().store().weights(), tokens, *wafer, request.step, request.micro_batch);
  const std::size_t at = runner.find(request.phase);
  const std::vector<machine::Message> messages = runner.messages(at);
  Phase fingerprint;
  fingerprint.messages = describe(messages, runner.op(at), plan);
  fingerprint.arrays = arrays(plan);
  fingerprint.returned.resize(static_cast<std::size_t>(shape.rows));
  Events events(plan.program, shape.rows);
  const sim::TilePlace tile[] = {{request.row, request.col}};
  std::unique_ptr<sim::ClockedWafer> again;
  auto* rtl = dynamic_cast<sim::ClockedWafer*>(wafer.get());
  try {
    for (std::size_t n = 0; n < at; ++n) runner.run(n, runner.messages(n));
    if (rtl == nullptr) {  // the RTL provides the events of a model's phase
      again = sim::make_clocked_wafer(shape);
      if (at > 0) {
        again->feed(plan.load);
        again->settle();
        for (int r = 0; r < shape.rows; ++r)
          for (int c = 0; c < shape.cols; ++c) again->set_state(r, c, wafer->state(r, c));
      }
    }
    if (sim::ClockedWafer* seen = rtl != nullptr ? rtl : again.get()) seen->watch(&events, tile);
    runner.run(at, messages);
  } catch (const WaferHang& hang) {
    fingerprint.stopped = hang.what();
  }
  try {
    if (again) {
      again->feed(messages);
      again->settle();
    }
  } catch (const WaferHang& hang) {
    if (fingerprint.stopped.empty())
      fingerprint.stopped = std::string("the RTL, from the model's state on: ") + hang.what();
  }
  if (sim::ClockedWafer* seen = rtl != nullptr ? rtl : again.get()) seen->watch(nullptr);
  fingerprint.events = events.take();
  for (int r = 0; r < shape.rows; ++r)
    for (const std::uint32_t word : wafer->outlet(r))
      fingerprint.returned[static_cast<std::size_t>(r)].push_back(
          fmt::format("{:08x} {}", word, trace::decimal_fp32(word)));
  const machine::TileState state = wafer->state(request.row, request.col);
  fingerprint.routes = route_words(state);
  for (const std::uint16_t element : state.memory)
    fmt::format_to(std::back_inserter(fingerprint.memory), "{:04x}", element);
  return fingerprint;
}

}  // namespace weft::inspect::bisect
