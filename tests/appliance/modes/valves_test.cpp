/// How many valves `auto` is, and that it changes nothing but cycles.
#include "host/appliance/modes/valves.hpp"

#include <gtest/gtest.h>

#include "host/appliance/compile_plan.hpp"
#include "tests/compiler/micro_batch.hpp"
#include "verif/wafer.hpp"

namespace weft {
namespace {

/// Short vectors on eight rows: one valve cannot feed them.
Config hungry() {
  Config c;
  c.model = {.vocab = 16, .hidden = 64, .layers = 3, .heads = 8, .filter = 64, .seq = 8, .micro_batch = 2};
  c.wafer = {.rows = 8, .cols = 2, .sram_kib = 24, .valves = 0};
  return c;
}

int chosen(Config c) {
  check_fit(c);
  choose_valves(c);
  return c.wafer.valves;
}

TEST(Valves, ANumberStays) {
  Config c = hungry();
  c.wafer.valves = 3;
  EXPECT_EQ(chosen(c), 3);
}

TEST(Valves, AutoIsOneWhereTilesAreBusyWithAWeight) {
  Config c;
  c.model = ModelShape{};
  c.wafer.valves = 0;
  EXPECT_EQ(chosen(c), 1);  // 4 x 4 tiles, eight beats a weight
}

TEST(Valves, AutoDependsOnShapesAlone) {
  const Config c = hungry();
  const int valves = chosen(c);
  EXPECT_GT(valves, 1);
  EXPECT_LE(valves, 8);
  for (const char* backend : {"model", "rtl", "rtl,model"}) {
    Config other = c;
    other.backend = backend;
    other.model.layers = 1;
    other.runconfig.num_csx = 3;
    EXPECT_EQ(chosen(other), valves) << backend;
  }
}

TEST(Valves, AutoIsOneIfAnyWaferIsABoard) {
  Config c = hungry();
  c.backend = "model,fpga";
  c.runconfig.num_csx = 2;
  EXPECT_EQ(chosen(c), 1);
}

TEST(Valves, AutoIsTheFewestThatAreEnough) {
  Config c = hungry();
  const int valves = chosen(c);
  c.model.layers = 1;
  c.wafer.valves = 1;
  const Plan plan = compile_plan(c, {});
  const double all = streamed_cycles(plan, c.wafer.rows);
  EXPECT_LE(streamed_cycles(plan, valves), 1.01 * all);
  EXPECT_GT(streamed_cycles(plan, valves - 1), 1.01 * all);
}

TEST(Valves, AutoGivesTheBitsOfOneValveInFewerCycles) {
  Config c = hungry();
  c.model.layers = 1;
  std::vector<MicroBatchRun> runs;
  std::vector<std::uint64_t> cycles;
  for (const int valves : {1, chosen(c)}) {
    c.wafer.valves = valves;
    const Plan plan = compile_plan(c, {});
    const auto wafer = make_rtl_wafer(plan.wafer);
    wafer->feed(plan.load);
    wafer->settle();
    const std::uint64_t before = wafer->counters().cycles;
    const std::vector<TokenId> tokens = random_tokens(plan, c.model.micro_batch, 2);
    runs.push_back(run_micro_batch(plan, *wafer, random_parameters(plan, 1), tokens, tokens));
    cycles.push_back(wafer->counters().cycles - before);
  }
  EXPECT_EQ(runs[0].loss_sum, runs[1].loss_sum);
  EXPECT_EQ(runs[0].grad, runs[1].grad);
  EXPECT_LT(cycles[1], cycles[0]);
}

}  // namespace
}  // namespace weft
