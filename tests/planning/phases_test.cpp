/// The estimate of cycles, phase by phase, compared with the RTL's counters.
#include "host/planning/phases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <sstream>

#include "host/cli/modes/calibrate.hpp"
#include "host/memoryx/pruning.hpp"
#include "sw/compiler/compile.hpp"
#include "sw/compiler/model/tensors.hpp"
#include "sw/compiler/stream/expand.hpp"
#include "verif/wafer.hpp"

namespace weft::planning {
namespace {

std::vector<float> weights(const compiler::Plan& plan) {
  std::vector<float> values(plan.parameters);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 0.001F * static_cast<float>(i * 37 % 101) - 0.05F;
  return values;
}

/// Cycles of each phase on the RTL, which is drained after each op.
std::map<std::string, std::uint64_t> rtl_cycles(const compiler::Plan& plan, const std::vector<float>& parameters) {
  const auto wafer = make_rtl_wafer(plan.wafer);
  const std::vector<TokenId> ids = some_tokens(plan.model);
  const auto cycles_of = [&](const std::vector<machine::Message>& messages) {
    const std::uint64_t before = wafer->counters().cycles;
    wafer->feed(messages);
    wafer->settle();
    return wafer->counters().cycles - before;
  };
  cycles_of(plan.load);
  std::map<std::string, std::uint64_t> cycles = {{"tokens", cycles_of(plan.tokens(ids, ids))}};
  std::vector<machine::Message> messages;
  for (const compiler::Op& op : plan.ops) {
    compiler::expand(op, parameters, messages);
    cycles[of_all_layers(op.name)] += cycles_of(messages);
  }
  return cycles;
}

/// Relative tolerances: `near` for phases that take at least the fraction `share` of a micro-batch, `whole` for a
/// micro-batch without rests.
struct Near {
  double share = 0.05, near = 0.3, whole = 0.08;
};

/// Checks a whole micro-batch, with rests between its ops (within 8 %) and without, and its phases.
void expect_near_rtl(const compiler::ModelShape& model, const machine::WaferShape& wafer, double sparsity = 0,
                     const Near& phases_are = {}) {
  compiler::Mask mask;
  for (const compiler::TensorInfo& tensor : compiler::model_tensors(model)) {
    if (sparsity > 0 && tensor.name.starts_with("h.") && tensor.dims.size() == 2) {
      mask[tensor.name] = memoryx::random_mask(tensor.name, tensor.size, sparsity, 1);
    }
  }
  const compiler::Plan plan = compiler::compile(model, wafer, mask);
  const std::vector<float> parameters = weights(plan);
  auto measured = rtl_cycles(plan, parameters);
  const std::vector<Phase> phases = estimate_phases(plan);
  double all = 0, expected = 0, in_a_run = 0;
  for (const Phase& phase : phases) {
    ASSERT_TRUE(measured.contains(phase.name)) << phase.name;
    all += static_cast<double>(measured[phase.name]);
    expected += static_cast<double>(phase.cycles + phase.rest);
    in_a_run += static_cast<double>(phase.cycles);
  }
  EXPECT_EQ(measured.size(), phases.size());
  const double run = static_cast<double>(cli::rtl_micro_batch_cycles(plan, parameters));
  std::printf("estimated / RTL: %.3f of %.0f cycles, %.3f of %.0f with rests\n", in_a_run / run, run, expected / all,
              all);
  EXPECT_NEAR(in_a_run / run, 1, phases_are.whole);
  EXPECT_NEAR(expected / all, 1, 0.08);
  for (const Phase& phase : phases) {
    const auto cycles = static_cast<double>(measured[phase.name]);
    if (cycles < all * phases_are.share) continue;
    EXPECT_NEAR(static_cast<double>(phase.cycles + phase.rest) / cycles, 1, phases_are.near) << phase.name;
  }
}

/// Ops of a few hundred cycles on many rows: a rest before each would be a tenth of the total.
TEST(Phases, AreNearTheRtlForShortOpsBehindEachOther) {
  const compiler::ModelShape model{
      .vocab = 96, .hidden = 16, .layers = 2, .heads = 2, .filter = 32, .seq = 8, .micro_batch = 2};
  expect_near_rtl(model, {.rows = 12, .cols = 2});
}

TEST(PhasesLong, AreNearTheRtlForASquareWafer) {
  expect_near_rtl({.vocab = 96, .hidden = 32, .layers = 1, .heads = 4, .filter = 128, .seq = 32, .micro_batch = 4}, {});
}
TEST(Phases, AreNearTheRtlForShortVectors) {
  expect_near_rtl(
      {.vocab = 100, .hidden = 24, .layers = 1, .heads = 3, .filter = 80, .seq = 16, .tied = false, .micro_batch = 3},
      {.rows = 2, .cols = 3});
}
TEST(Phases, AreNearTheRtlForLongVectorsAndTwoValves) {
  expect_near_rtl({.vocab = 60, .hidden = 32, .layers = 1, .heads = 8, .filter = 64, .seq = 64, .micro_batch = 2},
                  {.rows = 3, .cols = 2, .valves = 2});
}
TEST(PhasesLong, AreNearTheRtlForRowsOfUnequalWork) {
  expect_near_rtl({.vocab = 200, .hidden = 48, .layers = 1, .heads = 3, .filter = 100, .seq = 12, .micro_batch = 8},
                  {.rows = 5, .cols = 3, .sram_kib = 64});
}

/// Before its last sums, psum passes five rows that are home to no feature.
TEST(Phases, AreNearTheRtlForFewerFeaturesThanRows) {
  expect_near_rtl({.vocab = 96, .hidden = 4, .layers = 1, .heads = 1, .filter = 16, .seq = 8, .micro_batch = 24},
                  {.rows = 9, .cols = 12, .psum_cycles = 2}, 0, {.share = 0.025, .near = 0.1});
}

/// In rows with at most one sum, psum's path to the next home row takes extra time.
TEST(Phases, AreNearTheRtlForAnIndexARowOrNone) {
  expect_near_rtl({.vocab = 96, .hidden = 4, .layers = 1, .heads = 1, .filter = 16, .seq = 8, .micro_batch = 18},
                  {.rows = 13, .cols = 9, .valves = 4, .psum_cycles = 2}, 0.9, {.share = 0.02, .near = 0.1});
}

/// Few beats, and one valve for all rows: a micro-batch waits for the valve, but not for messages sent during earlier
/// ops.
TEST(PhasesLong, AreNearTheRtlWhereTheValveSendsAhead) {
  expect_near_rtl({.vocab = 130, .hidden = 28, .layers = 1, .heads = 7, .filter = 28, .seq = 8, .micro_batch = 3},
                  {.rows = 15, .cols = 12, .sram_kib = 128, .psum_cycles = 2, .sequence_columns = 4}, 0.9,
                  {.share = 0.02, .near = 0.1, .whole = 0.03});
}

TEST(Phases, AreNearTheRtlWhereWTurnsAround) {
  expect_near_rtl({.vocab = 48, .hidden = 16, .layers = 1, .heads = 2, .filter = 64, .seq = 32, .micro_batch = 32},
                  {.rows = 2, .cols = 32});
}

/// A row's links buffer messages where W turns around: rows that share a valve do not stall each other.
TEST(PhasesLong, AreNearTheRtlForRowsThatShareAValveWhereWTurnsAround) {
  expect_near_rtl({.vocab = 64, .hidden = 64, .layers = 1, .heads = 16, .filter = 64, .seq = 16, .micro_batch = 16},
                  {.rows = 16, .cols = 16, .valves = 4});
}

/// Beats with few sums wait for earlier beats; the wait is longer where psum uses some of the beats in between.
TEST(Phases, AreNearTheRtlForGradientsOfFewIndicesARow) {
  expect_near_rtl({.vocab = 24, .hidden = 40, .layers = 1, .heads = 4, .filter = 40, .seq = 80, .micro_batch = 2},
                  {.rows = 8, .cols = 2}, 0, {.share = 0.02, .near = 0.06});
}

/// One beat a weight: a message takes the ramp for as long as its beat takes the vector unit.
TEST(Phases, AreNearTheRtlWhereWeightsShareTheRampWithSums) {
  expect_near_rtl({.vocab = 16, .hidden = 56, .layers = 1, .heads = 4, .filter = 224, .seq = 4, .micro_batch = 2},
                  {.rows = 4, .cols = 2, .sram_kib = 64, .valves = 4, .psum_cycles = 2}, 0.5,
                  {.share = 0.04, .near = 0.08});
}

/// Groups of five outputs of six beats; rows of unequal work.
TEST(Phases, AreNearTheRtlForLargeGroupsOfOutputs) {
  expect_near_rtl({.vocab = 96, .hidden = 38, .layers = 1, .heads = 2, .filter = 154, .seq = 24, .micro_batch = 5},
                  {.rows = 8, .cols = 5, .valves = 8, .psum_cycles = 2}, 0,
                  {.share = 0.04, .near = 0.06, .whole = 0.05});
}

TEST(Phases, AreNearTheRtlForSparseMatrices) {
  expect_near_rtl({.vocab = 64, .hidden = 64, .layers = 1, .heads = 4, .filter = 128, .seq = 16, .micro_batch = 8},
                  {.rows = 4, .cols = 4}, 0.9);
}

/// Keys and values travel between columns, and the kernels wait for the results (docs/explanation/kernels.md, Long sequences).
TEST(Phases, AreNearTheRtlForSequencesOverSeveralColumns) {
  expect_near_rtl({.vocab = 48, .hidden = 32, .layers = 1, .heads = 4, .filter = 64, .seq = 64, .micro_batch = 2},
                  {.rows = 4, .cols = 4, .sram_kib = 64, .sequence_columns = 2});
}
TEST(Phases, AreNearTheRtlForHeadsOnManyRowsAndSequencesOverAllColumns) {
  expect_near_rtl({.vocab = 40, .hidden = 40, .layers = 1, .heads = 2, .filter = 64, .seq = 70, .micro_batch = 2},
                  {.rows = 6, .cols = 3, .sram_kib = 64, .sequence_columns = 3});
}

/// Even with almost no weights, an output's sums still go round the ring, at one token per cycle.
TEST(Phases, FewWeightsAreBoundByTheRing) {
  compiler::Mask mask;
  for (const compiler::TensorInfo& tensor : compiler::model_tensors({}))
    if (tensor.name == "h.0.mlp.c_fc.weight")
      mask[tensor.name] = memoryx::random_mask(tensor.name, tensor.size, 0.97, 1);
  for (const int rows : {1, 4}) {
    const compiler::Plan plan = compiler::compile({.layers = 1}, {.rows = rows, .sram_kib = 128}, mask);
    const std::vector<Phase> phases = estimate_phases(plan);
    const auto fc = std::ranges::find(phases, "h.*.mlp.c_fc", &Phase::name);
    EXPECT_EQ(fc->bound(), rows == 1 ? "multiply-adds" : "link") << rows;
    EXPECT_EQ(std::ranges::find(phases, "lm_head", &Phase::name)->bound(), "multiply-adds");
    if (rows == 1) continue;
    auto measured = rtl_cycles(plan, weights(plan));
    EXPECT_NEAR(static_cast<double>(fc->cycles + fc->rest) / static_cast<double>(measured[fc->name]), 1, 0.15);
  }
}

TEST(Phases, CountWhatThePlanStreamsAndWhatReturns) {
  const compiler::Plan plan = compiler::compile({.layers = 3}, {});
  const std::vector<Phase> phases = estimate_phases(plan);
  Phase total;
  std::uint64_t sent = 0, returned = 0;
  for (const Phase& phase : phases) total.add(phase);
  for (const compiler::Op& op : plan.ops) {
    sent += compiler::entries(op).size();
    for (const std::uint32_t words : op.returned) returned += words;
  }
  EXPECT_EQ(total.sent, sent + phases[0].sent);
  EXPECT_EQ(total.returned, returned);
  EXPECT_EQ(total.ops, static_cast<int>(plan.ops.size()) + 1);
  const auto fc = std::ranges::find(phases, "h.*.mlp.c_fc", &Phase::name);
  ASSERT_NE(fc, phases.end());
  EXPECT_EQ(fc->ops, 3);
  // Commands, then a CR, the weights of all hidden features and a bias for each output of each layer.
  EXPECT_EQ(fc->sent, 3U * (5 + 128 * (32 + 1 + 1)));
}

/// A valve passes one message per cycle: short vectors on many rows finish before the next weight arrives.
TEST(Phases, ShortVectorsAreBoundByTheValve) {
  const compiler::ModelShape model{
      .vocab = 16, .hidden = 64, .layers = 1, .heads = 8, .filter = 64, .seq = 8, .micro_batch = 2};
  for (const int valves : {1, 8}) {
    const compiler::Plan plan = compiler::compile(model, {.rows = 8, .cols = 2, .sram_kib = 24, .valves = valves});
    const std::vector<Phase> phases = estimate_phases(plan);
    const auto fc = std::ranges::find(phases, "h.*.mlp.c_fc", &Phase::name);
    EXPECT_EQ(fc->bound() == "valve", valves == 1) << valves << ": " << fc->bound();
  }
}

TEST(Phases, LayersAreOne) {
  EXPECT_EQ(of_all_layers("h.12.attn"), "h.*.attn");
  EXPECT_EQ(of_all_layers("h.3.attn.c_attn.dx"), "h.*.attn.c_attn.dx");
  EXPECT_EQ(of_all_layers("lm_head"), "lm_head");
  EXPECT_EQ(of_all_layers("d.h.3.ln_1.out"), "d.h.*.ln_1.out");  // in a plan that an earlier version has saved
}

TEST(RowBeats, AreThoseOfTheRtlInSum) {
  const compiler::Plan plan = compiler::compile(
      {.hidden = 24, .layers = 1, .heads = 3, .filter = 40, .seq = 8, .micro_batch = 4}, {.rows = 4, .cols = 2});
  const std::vector<float> parameters = weights(plan);
  const auto model = make_model_wafer(plan.wafer), rtl = make_rtl_wafer(plan.wafer);
  std::vector<machine::Message> messages;
  for (Wafer* wafer : {model.get(), rtl.get()}) {
    wafer->feed(plan.load);
    const std::vector<TokenId> ids = some_tokens(plan.model);
    wafer->feed(plan.tokens(ids, ids));
    for (const compiler::Op& op : plan.ops) {
      compiler::expand(op, parameters, messages);
      wafer->feed(messages);
    }
    wafer->settle();
  }
  std::uint64_t beats = 0;
  for (const std::uint64_t row : model->row_beats()) beats += row * static_cast<std::uint64_t>(plan.wafer.cols);
  EXPECT_EQ(beats, rtl->counters().beats);
}

TEST(Phases, SayHowFarTheyAre) {
  const compiler::Plan plan = compiler::compile({.layers = 1}, {});
  std::ostringstream out;
  system::Progress::Clock::time_point now{};
  system::Progress bar(out, true, [&] { return now += std::chrono::seconds(3); });
  estimate_phases(plan, {}, &bar);
  EXPECT_NE(out.str().find("cycles of each op [="), std::string::npos) << out.str();
  EXPECT_NE(out.str().find("100 %"), std::string::npos) << out.str();
  EXPECT_TRUE(out.str().ends_with("\r\x1b[K")) << "the line is another's";
}

}  // namespace
}  // namespace weft::planning
