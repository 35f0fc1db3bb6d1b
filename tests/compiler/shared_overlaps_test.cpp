/// Work that main and psum do at the same time in attention whose rows share the keys.
#include "sw/compiler/lower/shared_overlaps.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "sw/compiler/compile.hpp"
#include "tests/compiler/least_memory.hpp"
#include "tests/compiler/shape_case.hpp"

namespace weft::compiler {
namespace {

ModelShape keys_shared(ModelShape model) {
  model.attention = "shared";
  return model;
}

/// Calls of the kernels of an op, by name.
std::map<std::string, int> calls_of(const Plan& plan, std::string_view name) {
  std::map<std::string, int> calls;
  const auto op = std::ranges::find(plan.ops, name, &Op::name);
  for (const auto& command : op->commands)
    if (command.data >> 24 == static_cast<std::uint32_t>(machine::Command::Call))
      for (const assembler::Kernel& kernel : plan.program.kernels)
        if (kernel.address == (command.data & 0xffff)) ++calls[kernel.name];
  return calls;
}

/// No records are made in a call of their own where memory has room for all arrays of a head.
TEST(SharedOverlaps, RecordsAreMadeWhilePsumIsBusy) {
  const Plan plan = compile(keys_shared(shape(30, 24, 1, 1, 40, 36, true, 1)),
                            {.rows = 8, .cols = 3, .sram_kib = 64, .sequence_columns = 3});
  for (const char* const op : {"h.0.attn", "h.0.attn.dx"}) {
    auto calls = calls_of(plan, op);
    EXPECT_EQ(calls["share_scores_beside"], 1) << op;
    EXPECT_EQ(calls["share_records"], 0) << op;
  }
}

/// One array for q, k, v and dout holds the features of one of them at a time.
TEST(SharedOverlaps, OneArrayHasRecordsOfItsOwnCalls) {
  const ModelShape model = keys_shared(shape(30, 128, 1, 1, 40, 23, true, 1));
  const Plan plan = compile(model, with_least_memory(model, {.rows = 4, .cols = 3, .sequence_columns = 3}));
  EXPECT_EQ(calls_of(plan, "h.0.attn")["share_records"], 2);
  EXPECT_EQ(calls_of(plan, "h.0.attn.dx")["share_records"], 4);
}

/// Buffers take turns batch by batch, through all calls; a call finds its first batch where the call before gathers it.
TEST(SharedOverlaps, BuffersOfVisitorsTakeTurns) {
  const ModelShape model = keys_shared(shape(30, 24, 1, 1, 40, 60, true, 1));
  const machine::WaferShape wafer{.rows = 8, .cols = 5, .sram_kib = 64, .sequence_columns = 5};
  MemoryPlan memory(model, wafer, Spaces(model, wafer.rows));
  ASSERT_TRUE(memory.shared);
  memory.turns_at_once = 2;  // batches of 2, 2 and 1 turns
  ASSERT_EQ(visitor_batches(memory), 3);
  const int first = memory.visitors, second = first + 2 * memory.shared->slice();
  VisitorBuffers buffers(memory);
  EXPECT_EQ(buffers.next(), first);
  EXPECT_FALSE(buffers.ready());
  buffers.take(1, true);
  EXPECT_TRUE(buffers.ready());
  EXPECT_EQ(buffers.next(), second);
  EXPECT_EQ(buffers.other(), first);
  buffers.take(2, false);
  EXPECT_FALSE(buffers.ready());
  EXPECT_EQ(buffers.next(), second);
}

}  // namespace
}  // namespace weft::compiler
