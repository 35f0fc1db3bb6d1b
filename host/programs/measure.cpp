#include "host/programs/measure.hpp"

#include <algorithm>
#include <stdexcept>

#include "host/board/wafer/board_wafer.hpp"
#include "sw/base/refusal.hpp"

namespace weft::programs {
namespace {

constexpr int kBefore = 1, kRun = 2;  // tags

void add(Passed& passed, std::uint64_t cycle) {
  if (passed.messages++ == 0) passed.begin = cycle;
  passed.end = cycle + 1;
}

}  // namespace

Meter::Meter(Machine& machine) : machine_(machine), rtl_(dynamic_cast<sim::ClockedWafer*>(&machine.wafer())) {
  if (machine.on_board()) return;
  if (rtl_ == nullptr) throw Refusal("inspect", "the functional model has no cycles", "use the backend rtl");
  try {
    rtl_->log_stalls(&log_);
  } catch (const std::logic_error& error) {
    throw Refusal("inspect", error.what(), "use a library with the RTL for inspection");
  }
}

Meter::~Meter() {
  if (rtl_ == nullptr) return;
  rtl_->log_stalls(nullptr);
  rtl_->record(nullptr);
}

void Meter::mark(int tag, const deadlock::Programs& programs) {
  const machine::Message message =
      machine::Message::command(machine::Command::Mark, 0, static_cast<std::uint16_t>(tag));
  machine_.run({&message, 1}, "inspect", programs);
}

void Meter::begin(const deadlock::Programs& programs) {
  mark(kBefore, programs);
  log_.clear();
  events_.clear();
  if (rtl_ != nullptr) rtl_->record(&events_);
  multiply_adds_ = machine_.counters().fma_lanes;
}

MeasuredRun Meter::end(const std::string& kernel, const deadlock::Programs& programs) {
  if (rtl_ != nullptr) rtl_->record(nullptr);
  mark(kRun, programs);
  MeasuredRun run{.kernel = kernel,
                  .tiles = {},
                  .valve = {},
                  .outlets = {},
                  .multiply_adds = machine_.counters().fma_lanes - multiply_adds_};
  if (rtl_ == nullptr) {
    run.tiles = board::read_counts(machine_.wafer());
    for (sim::StallRecord& tile : run.tiles)
      for (const std::uint32_t cycles : tile.counts[0]) tile.end += cycles;
  } else {
    run.tiles.assign(log_.begin(), log_.end());
    std::ranges::sort(run.tiles, {}, [](const sim::StallRecord& r) { return std::pair(r.row, r.col); });
    run.outlets.resize(static_cast<std::size_t>(machine_.wafer().shape().rows));
    for (const sim::EdgeEvent& event : events_)
      add(event.kind == sim::EdgeEvent::Kind::In ? run.valve : run.outlets[static_cast<std::size_t>(event.place)],
          event.cycle);
  }
  for (const sim::StallRecord& tile : run.tiles)
    if (tile.overflow)
      throw Refusal("inspect", "the run was too long for the counters of " + name_of(Tile{tile.row, tile.col}),
                    "measure a shorter run");
  return run;
}

}  // namespace weft::programs
