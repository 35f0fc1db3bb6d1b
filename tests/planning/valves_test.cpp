/// The number of valves that `auto` chooses, and its effect: cycles change, bits do not.
#include "host/planning/valves.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

#include "host/config/keys/params_filter.hpp"
#include "host/memoryx/pruning.hpp"
#include "host/planning/compile_plan.hpp"
#include "host/planning/phases.hpp"
#include "sw/compiler/model/tensors.hpp"
#include "tests/compiler/micro_batch.hpp"
#include "verif/wafer.hpp"

namespace weft::planning {
namespace {

/// Short vectors on eight rows: one valve cannot supply them.
config::Config hungry() {
  config::Config c;
  c.model = {.vocab = 16, .hidden = 64, .layers = 3, .heads = 8, .filter = 64, .seq = 8, .micro_batch = 2};
  c.wafer = {.rows = 8, .cols = 2, .sram_kib = 24, .valves = 0};
  return c;
}

int chosen(config::Config c) {
  check_fit(c);
  choose_valves(c);
  return c.wafer.valves;
}

TEST(Valves, ANumberStays) {
  config::Config c = hungry();
  c.wafer.valves = 3;
  EXPECT_EQ(chosen(c), 3);
}

TEST(Valves, AutoIsOneWhereTilesAreBusyWithAWeight) {
  config::Config c;
  c.model = compiler::ModelShape{};
  c.wafer.valves = 0;
  EXPECT_EQ(chosen(c), 1);  // 4 x 4 tiles, eight beats per weight
}

TEST(Valves, AutoDependsOnShapesAlone) {
  const config::Config c = hungry();
  const int valves = chosen(c);
  EXPECT_GT(valves, 1);
  EXPECT_LE(valves, 8);
  for (const char* backend : {"model", "rtl", "rtl,model"}) {
    config::Config other = c;
    other.backend = backend;
    other.runconfig.num_csx = 3;
    EXPECT_EQ(chosen(other), valves) << backend;
  }
}

TEST(Valves, AutoIsOneIfAnyWaferIsABoard) {
  config::Config c = hungry();
  c.backend = "model,fpga";
  c.runconfig.num_csx = 2;
  EXPECT_EQ(chosen(c), 1);
}

TEST(Valves, AutoIsTheFewestThatAreEnough) {
  config::Config c = hungry();
  const int valves = chosen(c);
  const auto cycles = [&](int with) {
    c.wafer.valves = with;
    return streamed_cycles(compile_plan(c, {}));
  };
  const double all = cycles(c.wafer.rows);
  EXPECT_LE(cycles(valves), 1.01 * all);
  EXPECT_GT(cycles(valves - 1), 1.01 * all);
}

/// The smallest of all numbers of valves that are enough.
int fewest_of_all(config::Config c) {
  std::vector<double> cycles;
  for (c.wafer.valves = 1; c.wafer.valves <= c.wafer.rows; ++c.wafer.valves)
    cycles.push_back(streamed_cycles(compile_plan(c, {})));
  const auto enough = std::ranges::find_if(cycles, [&](double one) { return one <= 1.01 * cycles.back(); });
  return static_cast<int>(enough - cycles.begin()) + 1;
}

void auto_is_the_fewest_on_random_shapes(int shapes, std::size_t numbers) {
  std::mt19937 rng(1);
  const auto between = [&rng](int low, int high) {
    return low + static_cast<int>(rng() % static_cast<unsigned>(high - low + 1));
  };
  std::set<int> chosen_numbers;
  for (int n = 0; n < shapes; ++n) {
    config::Config c;
    c.model = {.vocab = between(16, 80),
               .hidden = 0,
               .layers = 1,
               .heads = between(1, 6),
               .filter = 0,
               .seq = 4 * between(1, 6),
               .micro_batch = 0};
    c.model.hidden = c.model.heads * 4 * between(1, 5);
    c.model.filter = c.model.hidden * between(1, 4);
    c.wafer = {.rows = between(2, 24), .cols = between(1, 8), .sram_kib = 128, .valves = 0, .psum_cycles = 2};
    c.model.micro_batch = c.wafer.cols * between(1, 2);
    const int valves = chosen(c);
    EXPECT_EQ(valves, fewest_of_all(c)) << c.wafer.rows << "x" << c.wafer.cols << ", hidden " << c.model.hidden
                                        << ", filter " << c.model.filter << ", seq " << c.model.seq << ", micro-batch "
                                        << c.model.micro_batch;
    chosen_numbers.insert(valves);
  }
  EXPECT_GE(chosen_numbers.size(), numbers);
}

TEST(Valves, AutoIsTheFewestOfAllNumbersOnRandomShapes) { auto_is_the_fewest_on_random_shapes(10, 4); }
TEST(ValvesLong, AutoIsTheFewestOfAllNumbersOnMoreRandomShapes) { auto_is_the_fewest_on_random_shapes(24, 6); }

double expected_cycles(config::Config c, int valves) {
  c.wafer.valves = valves;
  double cycles = 0;
  for (const Phase& phase : estimate_phases(compile_plan(c, {}))) cycles += static_cast<double>(phase.cycles);
  return cycles;
}

/// One head per row, with vectors so short that rows drift apart for longer than a rough sample covers.
config::Config drifting(int rows, int cols, int per_row) {
  config::Config c;
  c.model.hidden = c.model.filter = rows * per_row;
  c.model.heads = rows;
  c.model.layers = 1;
  c.model.seq = 8;
  c.model.micro_batch = cols;
  c.wafer = {.rows = rows, .cols = cols, .sram_kib = 128, .valves = 0, .psum_cycles = 2};
  return c;
}

TEST(Valves, AutoKeepsWhatItPromisesThoughRowsDrift) {
  const config::Config c = drifting(64, 1, 12);
  EXPECT_LE(expected_cycles(c, chosen(c)), 1.01 * expected_cycles(c, c.wafer.rows));
}

TEST(Valves, AutoKeepsWhatItPromisesWhereWTurns) {
  const config::Config c = drifting(200, 40, 4);
  const int valves = chosen(c);
  EXPECT_LT(valves, 3 * c.wafer.rows / 4);  // a weight takes two beats, so a valve supplies two rows
  EXPECT_LE(expected_cycles(c, valves), 1.01 * expected_cycles(c, c.wafer.rows));
}

/// One valve is enough for a large output head, but not for the layers.
TEST(Valves, AutoWeighsLayersByTheirNumber) {
  config::Config c = hungry();
  c.model.vocab = 2048;
  c.wafer.sram_kib = 128;
  c.model.layers = 1;
  const int one = chosen(c);
  c.model.layers = 96;
  const int many = chosen(c);
  EXPECT_LT(one, many);
  EXPECT_LE(expected_cycles(c, many), 1.01 * expected_cycles(c, c.wafer.rows));
}

/// Result of a micro-batch on the RTL.
struct OnRtl {
  compiler::MicroBatchRun run;
  std::uint64_t cycles = 0;
};

OnRtl on_rtl(config::Config c, int valves, const compiler::Mask& mask = {}) {
  c.wafer.valves = valves;
  const compiler::Plan plan = compile_plan(c, mask);
  const auto wafer = make_rtl_wafer(plan.wafer);
  wafer->feed(plan.load);
  wafer->settle();
  const std::uint64_t before = wafer->counters().cycles;
  const std::vector<TokenId> tokens = compiler::random_tokens(plan, c.model.micro_batch, 2);
  OnRtl result{.run = compiler::run_micro_batch(plan, *wafer, compiler::random_parameters(plan, 1), tokens, tokens)};
  result.cycles = wafer->counters().cycles - before;
  return result;
}

TEST(Valves, AutoGivesTheBitsOfOneValveInFewerCycles) {
  config::Config c = hungry();
  c.model.layers = 1;
  const OnRtl one = on_rtl(c, 1), some = on_rtl(c, chosen(c));
  EXPECT_EQ(one.run.loss_sum, some.run.loss_sum);
  EXPECT_EQ(one.run.grad, some.run.grad);
  EXPECT_LT(some.cycles, one.cycles);
}

/// With few weights an output takes less time, so rows that are a given time apart differ by more outputs: the dense
/// model's number of valves would stall them.
TEST(Valves, AutoKnowsThatMasksLeaveWeightsOut) {
  config::Config c = hungry();
  c.model.seq = 12;
  c.model.filter = 4 * c.model.hidden;
  const int dense = chosen(c);
  c.sparsity.sparsity = 0.9;
  const int sparse = chosen(c);
  EXPECT_GT(sparse, dense);
  c.model.layers = 1;
  compiler::Mask mask;  // not the mask that the choice was made with
  for (const compiler::TensorInfo& tensor : config::sparse_tensors(c))
    mask[tensor.name] = memoryx::random_mask(tensor.name, tensor.size, 0.9, 7);
  ASSERT_EQ(mask.size(), 4U);
  const OnRtl few = on_rtl(c, dense, mask), more = on_rtl(c, sparse, mask);
  EXPECT_EQ(few.run.grad, more.run.grad);
  EXPECT_LT(1.01 * static_cast<double>(more.cycles), static_cast<double>(few.cycles)) << "as auto promises";
  std::printf("%d valves %lu cycles, %d valves %lu\n", dense, few.cycles, sparse, more.cycles);
}

TEST(Valves, AutoTakesTheFirstLayersMasks) {
  config::Config c = hungry();
  c.model.seq = 12;
  c.model.filter = 4 * c.model.hidden;
  const int dense = chosen(c);
  c.sparsity.sparsity = 0.9;
  c.sparsity.params_filter = {"h.2.*.weight"};  // no mask in the first layer
  EXPECT_EQ(chosen(c), dense);
  c.sparsity.params_filter = {"h.0.*.weight"};
  EXPECT_GT(chosen(c), dense);
  c.sparsity = {.init_method = "checkpoint"};
  EXPECT_EQ(chosen(c), dense);
}

}  // namespace
}  // namespace weft::planning
