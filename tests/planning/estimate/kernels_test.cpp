/// Cycles of kernels with no stream or a short one, compared with the RTL's: the estimate steps through their beats.
#include <gtest/gtest.h>

#include <cstdio>
#include <string_view>

#include "host/planning/estimate/stream.hpp"
#include "host/planning/phases.hpp"
#include "sw/compiler/compile.hpp"
#include "sw/compiler/stream/expand.hpp"
#include "tests/compiler/least_memory.hpp"
#include "verif/wafer.hpp"

namespace weft::planning {
namespace {

/// Checks that the estimate of each op of 600 cycles or more is within 5 %; only of those whose name has `part`.
void expect_those_of_the_rtl(const compiler::Plan& plan, std::string_view part = "") {
  const auto wafer = make_rtl_wafer(plan.wafer);
  const std::vector<TokenId> ids = some_tokens(plan.model);
  wafer->feed(plan.load);
  wafer->feed(plan.tokens(ids, ids));
  wafer->settle();
  CycleEstimate estimate(plan);
  std::vector<machine::Message> messages;
  int ops = 0;
  for (const compiler::Op& op : plan.ops) {
    const std::uint64_t before = wafer->counters().cycles;
    compiler::expand(op, {}, messages);
    wafer->feed(messages);
    wafer->settle();
    const auto cycles = static_cast<double>(wafer->counters().cycles - before);
    if (cycles < 600 || is_streamed(stream_calls(plan.program, op).back())) continue;
    if (op.name.find(part) == std::string::npos) continue;
    ++ops;
    const Phase phase = estimate.of(op);
    EXPECT_NEAR(static_cast<double>(phase.cycles + phase.rest) / cycles, 1, 0.05) << op.name << ", " << cycles;
  }
  EXPECT_GT(ops, part.empty() ? 6 : 1);
}

TEST(Kernels, OneHeadPerRowMatchesTheRtl) { expect_those_of_the_rtl(compiler::compile({.layers = 1}, {})); }

TEST(Kernels, HeadsOnSeveralRowsMatchTheRtl) {
  expect_those_of_the_rtl(compiler::compile({.hidden = 48, .layers = 1, .heads = 2, .filter = 96, .seq = 24},
                                            {.rows = 6, .cols = 4, .sram_kib = 64}));
}

TEST(Kernels, RotaryFeaturesMatchTheRtl) {
  expect_those_of_the_rtl(
      compiler::compile({.hidden = 64, .layers = 1, .heads = 2, .seq = 40, .rotary_dim = 24, .network = "gptj"},
                        {.rows = 2, .cols = 4, .sram_kib = 64}));
}

TEST(Kernels, SequencesOverColumnsMatchTheRtl) {
  expect_those_of_the_rtl(compiler::compile({.layers = 1, .seq = 48}, {.sequence_columns = 4}));
}

/// psum gathers the next visitors while main computes.
TEST(Kernels, RowsThatShareKeysMatchTheRtl) {
  expect_those_of_the_rtl(compiler::compile(
      {.hidden = 48, .layers = 1, .heads = 2, .filter = 96, .seq = 96, .micro_batch = 1, .attention = "shared"},
      {.rows = 8, .cols = 8, .sram_kib = 64, .valves = 8, .sequence_columns = 8}));
}

/// Four keys of a row visit in sets of two; q, k, v and dout take turns in one array; two columns have no sequence.
/// The batches have `turns` at once, in the least memory with that many.
void expect_sets_of_keys(int turns, int additional_kib) {
  const compiler::ModelShape model{
      .hidden = 128, .layers = 1, .heads = 1, .filter = 64, .seq = 45, .micro_batch = 1, .attention = "shared"};
  machine::WaferShape wafer =
      compiler::with_least_memory(model, {.rows = 4, .cols = 8, .valves = 4, .psum_cycles = 2, .sequence_columns = 6});
  wafer.sram_kib += additional_kib;
  const compiler::MemoryPlan memory(model, wafer, compiler::Spaces(model, wafer.rows));
  EXPECT_TRUE(memory.one_shared_array());
  EXPECT_EQ(memory.turns_at_once, turns);
  expect_those_of_the_rtl(compiler::compile(model, wafer), ".attn");
}
TEST(Kernels, SetsOfKeysMatchTheRtl) { expect_sets_of_keys(3, 2); }
TEST(KernelsLong, SetsOfKeysInOneTurnMatchTheRtl) { expect_sets_of_keys(1, 0); }

}  // namespace
}  // namespace weft::planning
