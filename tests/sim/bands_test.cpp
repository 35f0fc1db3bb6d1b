/// A wafer whose rows are divided among threads: the same messages in the same cycles, the same counts, traces and
/// states.
#include <gtest/gtest.h>

#include <cstring>

#include "sw/compiler/compile.hpp"
#include "sw/compiler/plan/plan.hpp"
#include "sw/compiler/stream/expand.hpp"
#include "tests/compiler/micro_batch.hpp"
#include "verif/sim/replicated_wafer.hpp"

namespace weft::sim {
namespace {

const compiler::ModelShape kModel{
    .vocab = 16, .hidden = 8, .layers = 1, .heads = 2, .filter = 16, .seq = 4, .micro_batch = 2};

/// All that can be observed of a micro-batch, with a MARK after each op.
struct Seen : TileWatch {
  std::vector<EdgeEvent> events;
  WaferCounters counters;
  std::vector<machine::TileState> states;
  StallLog stalls;
  std::vector<std::vector<std::uint32_t>> words;
  std::vector<std::uint64_t> views;

  void observe(std::uint64_t cycle, std::size_t n, const TileView& v) override {
    std::uint64_t sum = cycle * 31 + n;
    for (const PortView& p : v.ports)
      for (const std::uint64_t x : {std::uint64_t{p.in_valid}, std::uint64_t{p.out_valid}, p.in_valid ? p.in : 0,
                                    p.out_valid ? p.out : 0, std::uint64_t{p.in_credit}, std::uint64_t{p.out_credit}})
        sum = sum * 1099511628211u + x;
    views.push_back(sum * 31 + v.main.state * 16 + v.psum.state + v.mp + v.pm);
  }
};

Seen run(const machine::WaferShape& shape, int threads, bool watched, bool hesitates) {
  const compiler::Plan plan = compiler::compile(kModel, shape);
  const auto parameters = compiler::random_parameters(plan, 1);
  const auto inputs = compiler::random_tokens(plan, kModel.micro_batch, 2),
             labels = compiler::random_tokens(plan, kModel.micro_batch, 3);
  Seen seen;
  ReplicatedWafer wafer(shape, threads);
  wafer.record(&seen.events);
  wafer.log_stalls(&seen.stalls);
  const std::vector<TilePlace> places{{0, 0}, {shape.rows / 2, 1}, {shape.rows - 1, 0}};
  if (watched) wafer.watch(&seen, places);
  if (hesitates) {
    wafer.hesitate([](int valve, std::uint64_t cycle) { return (cycle >> 4) % 3 != static_cast<unsigned>(valve); });
    wafer.listen([](int row, std::uint64_t cycle) { return (cycle + static_cast<unsigned>(row)) % 5 != 0; });
  }
  wafer.feed(plan.load);
  wafer.settle();
  std::vector<machine::Message> messages;
  wafer.feed(plan.tokens(inputs, labels));
  std::uint16_t tag = 0;
  for (const compiler::Op& op : plan.ops) {
    compiler::expand(op, parameters, messages);
    messages.push_back(machine::Message::command(machine::Command::Mark, 0, tag++));
    wafer.feed(messages);
  }
  wafer.settle();
  EXPECT_EQ(wafer.flags(), "");
  seen.counters = wafer.counters();
  for (int row = 0; row < shape.rows; ++row) {
    seen.words.push_back(wafer.outlet(row));
    for (int col = 0; col < shape.cols; ++col) seen.states.push_back(wafer.state(row, col));
  }
  return seen;
}

void expect_same(const machine::WaferShape& shape, const std::vector<int>& threads, bool watched, bool hesitates) {
  const Seen one = run(shape, 1, watched, hesitates);
  EXPECT_GT(one.counters.cycles, 5000u);
  for (const int n : threads) {
    SCOPED_TRACE(n);
    const Seen many = run(shape, n, watched, hesitates);
    EXPECT_EQ(many.counters.cycles, one.counters.cycles);
    EXPECT_EQ(many.counters.beats, one.counters.beats);
    EXPECT_EQ(many.counters.fma_lanes, one.counters.fma_lanes);
    EXPECT_EQ(many.counters.edge_messages, one.counters.edge_messages);
    EXPECT_TRUE(many.events == one.events);
    EXPECT_TRUE(many.words == one.words);
    EXPECT_TRUE(many.states == one.states);
    EXPECT_TRUE(many.stalls == one.stalls);
    EXPECT_TRUE(many.views == one.views);
    EXPECT_EQ(watched, !one.views.empty());
    EXPECT_FALSE(one.stalls.empty());
  }
}

TEST(Bands, NoBitAndNoCycleDependsOnThreads) { expect_same({.rows = 4, .cols = 2}, {2, 3, 4, 9}, false, false); }

TEST(Bands, NorWhereTilesSleepWhileTheHostIsSlow) {
  expect_same({.rows = 3, .cols = 2, .valves = 2}, {2, 3}, false, true);
}

TEST(Bands, NorWhatIsTraced) { expect_same({.rows = 4, .cols = 2}, {2}, true, false); }

}  // namespace
}  // namespace weft::sim
