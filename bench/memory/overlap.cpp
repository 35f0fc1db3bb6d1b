/// Overlap of stream, wafer and update: replayed with equal times, and recorded in a real run.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "bench/benches.hpp"
#include "bench/common/replay.hpp"
#include "bench/common/work.hpp"
#include "bench/memory/intervals.hpp"
#include "bench/print.hpp"
#include "host/memoryx/memoryx.hpp"
#include "host/planning/phases.hpp"
#include "host/swarmx/root/swarm.hpp"
#include "sw/compiler/compile.hpp"
#include "tests/checkpoint/wrapped_wafer.hpp"

namespace weft::bench {
namespace {

constexpr int kLayers = 32, kSteps = 3;
constexpr double kEach = 2;       // seconds for each part
constexpr double kPoints = 1220;  // smallest gap that a picture of two steps shows: a part of their time

double since(Clock::time_point start, Clock::time_point at) {
  return std::chrono::duration<double>(at - start).count();
}

/// Median of the seconds per step.
double replayed(bool eager) {
  const ReplayTimes times{.link = kEach, .wafer = kEach, .update = kEach};
  const compiler::Plan plan = replay_plan(kLayers);
  auto owned = make_replay_store(plan, times);
  ReplayStore& store = *owned;
  memoryx::MemoryX memoryx(plan, {.eager = eager}, std::move(owned));
  swarmx::Swarm swarm(plan, {.make_wafer = [&](int) { return make_replay_wafer(plan, times); },
                             .get = [&](const swarmx::BatchRequest&) { return replay_batch(plan); }});
  store.begin_replay();
  std::vector<double> steps;
  auto last = Clock::now();
  for (int k = 0; k <= kSteps; ++k) {
    swarm.step(static_cast<std::uint64_t>(k), memoryx, [&] { memoryx.finish_update(); });
    const auto now = Clock::now();
    if (k > 0) steps.push_back(since(last, now));  // the first step has no update before it
    last = now;
  }
  return median(steps);
}

/// Timeline of a run, recorded from many threads.
class Record {
 public:
  explicit Record(Clock::time_point start) : start_(start) {}
  void add(std::size_t row, Clock::time_point begin, Clock::time_point end, int step) {
    const std::lock_guard lock(mutex_);
    rows_[row].push_back({since(start_, begin), since(start_, end), step});
  }
  /// Adds an interval for `thing`; its k-th occurrence in a row belongs to step k.
  void add_next(std::size_t row, std::size_t thing, Clock::time_point begin, Clock::time_point end) {
    const std::lock_guard lock(mutex_);
    rows_[row].push_back({since(start_, begin), since(start_, end), times_[{row, thing}]++});
  }
  const std::vector<Interval>& row(std::size_t row) const { return rows_[row]; }

 private:
  Clock::time_point start_;
  std::mutex mutex_;
  std::vector<Interval> rows_[3];
  std::map<std::pair<std::size_t, std::size_t>, int> times_;
};

enum Part : std::uint8_t { kMemory, kWafer, kUpdate };

/// A wafer of the functional model that records when it computes.
class Recorded final : public checkpoint::WrappedWafer {
 public:
  Recorded(const machine::WaferShape& shape, Record& record) : checkpoint::WrappedWafer(shape), record_(record) {}
  void at(const machine::StreamPlace& place) override { step_ = static_cast<int>(place.step); }
  void feed(std::span<const machine::Message> messages) override {
    const auto begin = Clock::now();
    checkpoint::WrappedWafer::feed(messages);
    record_.add(kWafer, begin, Clock::now(), step_);
  }
  void await(std::span<const std::uint64_t> totals) override {
    const auto begin = Clock::now();
    checkpoint::WrappedWafer::await(totals);
    record_.add(kWafer, begin, Clock::now(), step_);
  }

 private:
  Record& record_;
  int step_ = 0;
};

/// Selects the second and the third step, renumbered as 0 and 1.
std::vector<Interval> two_steps(std::vector<Interval> intervals) {
  std::erase_if(intervals, [](const Interval& one) { return one.step < 1 || one.step > 2; });
  for (Interval& one : intervals) --one.step;
  return intervals;
}

/// Records two steps of a run with eight short sequences, so that the update is a visible part of a step.
void two_steps_of_a_run() {
  const compiler::ModelShape model{
      .vocab = 96, .hidden = 256, .layers = 4, .heads = 4, .filter = 1024, .seq = 16, .micro_batch = 8};
  const machine::WaferShape shape{.rows = 4, .cols = 8, .lanes = 16, .sram_kib = 128};
  const compiler::Plan plan = compiler::compile(model, shape);
  const std::vector<TokenId> ids = planning::some_tokens(model);
  Record record(Clock::now());
  memoryx::MemoryX memoryx(plan, {.eager = true, .updated = [&](std::size_t shard, auto begin, auto end) {
                                    record.add_next(kUpdate, shard, begin, end);
                                  }});
  {
    swarmx::Swarm swarm(
        plan, {.make_wafer = [&](int) { return std::make_unique<Recorded>(shape, record); },
               .get =
                   [&](const swarmx::BatchRequest&) {
                     return swarmx::MicroBatch{ids, ids};
                   },
               .streamed = [&](std::size_t op, auto begin, auto end) { record.add_next(kMemory, op, begin, end); }});
    for (std::uint64_t step = 0; step < 4; ++step) swarm.step(step, memoryx, [&] { memoryx.finish_update(); });
    memoryx.finish_update();
  }
  const auto& memory = record.row(kMemory);
  const auto begin_of = [&](int step) { return std::ranges::find(memory, step, &Interval::step)->begin; };
  const Interval drawn{begin_of(1), begin_of(3), 0};
  const double seconds = drawn.end - drawn.begin, visible = seconds / kPoints;
  const std::pair<const char*, Part> parts[] = {{"memory", kMemory}, {"wafer", kWafer}, {"update", kUpdate}};
  text(fmt::format("\n  two steps of {} parameters on the functional model, in seconds\n", plan.parameters));
  for (const auto& [name, part] : parts)
    for (const Interval& one : joined(two_steps(record.row(part)), visible)) {
      if (one.end < drawn.begin || one.begin > drawn.end) continue;
      row("figure2", {{"part", name},
                      {"step", one.step},
                      {"begin", std::max(0.0, one.begin - drawn.begin)},
                      {"end", std::min(seconds, one.end - drawn.begin)}});
    }
  fact("a step", seconds / 2 * 1000, "ms");
  for (const auto& [name, part] : parts)
    fact(fmt::format("  of it busy: {}", name), covered(two_steps(record.row(part)), drawn) / seconds, "");
}

}  // namespace

void overlap() {
  heading(fmt::format("overlap: link, wafer and update replayed at {:g} s each a step, {} layers", kEach, kLayers));
  limit("weights change as their gradients come: a step over the longest", replayed(true) / kEach, "times", 1.15);
  fact("weights change after the step's last gradient", replayed(false) / kEach, "times");
  two_steps_of_a_run();
}

}  // namespace weft::bench
