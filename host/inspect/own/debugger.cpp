#include "host/inspect/own/debugger.hpp"

#include <utility>

#include "host/inspect/debug/model_target.hpp"
#include "host/inspect/debug/rtl_target.hpp"
#include "host/inspect/own/run_workload.hpp"
#include "host/programs/inspected.hpp"

namespace weft::inspect::own {
namespace {

std::unique_ptr<sim::ClockedWafer> make_rtl(const machine::WaferShape& shape, bool inspect) {
  if (!inspect) return sim::make_clocked_wafer(shape);
  std::unique_ptr<Wafer> made = weft::programs::make_inspected_wafer(shape, 1);
  std::unique_ptr<sim::ClockedWafer> rtl(&dynamic_cast<sim::ClockedWafer&>(*made));
  (void)made.release();
  return rtl;
}

std::unique_ptr<debug::LiveTarget> make_target(weft::programs::Replay given) {
  std::vector<machine::TileState> states = std::move(given.states);
  const auto run = std::make_shared<const weft::programs::Replay>(std::move(given));
  auto workload = std::make_unique<RunWorkload>(run);
  if (run->backend.name == "model")
    return std::make_unique<debug::ModelTarget>(std::move(workload), std::move(states), 0);
  return std::make_unique<debug::RtlTarget>(std::move(workload), std::move(states),
                                            make_rtl(run->image.shape, run->backend.inspect));
}

}  // namespace

Debugger::Debugger(weft::programs::Replay run) : target_(make_target(std::move(run))), shell_(*target_, out_) {}

std::string Debugger::command(const std::string& line, std::function<bool()> interrupted) {
  out_.str("");
  target_->ask(std::move(interrupted));
  over_ = !shell_.run(line) || over_;
  target_->ask({});
  return out_.str();
}

}  // namespace weft::inspect::own
