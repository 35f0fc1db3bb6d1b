/// GEMMs with short vectors interleave the outputs of a home row: other kernels, and the same bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "host/memoryx/pruning.hpp"
#include "sw/compiler/compile.hpp"
#include "sw/compiler/memory/memory_plan.hpp"
#include "sw/compiler/plan/plan.hpp"
#include "sw/compiler/plan/plan_file.hpp"
#include "tests/compiler/micro_batch.hpp"

namespace weft::compiler {
namespace {

constexpr int kRows = 4, kCols = 4;

ModelShape shape_of(int beats) {
  ModelShape model{.vocab = 50, .hidden = 30, .layers = 1, .heads = 2, .filter = 70, .seq = 4 * beats};
  model.micro_batch = kCols;  // one sequence in each column
  return model;
}

/// Wafers that differ in nothing but the order of streams: plans for boards do not interleave.
machine::WaferShape wafer_of(int psum_cycles, bool interleaves) {
  return {
      .rows = kRows, .cols = kCols, .sram_kib = 128, .valves = kRows, .turns = interleaves, .psum_cycles = psum_cycles};
}

long interleaved(const Plan& plan) {
  return std::ranges::count_if(plan.ops, [](const Op& op) { return op.descriptor.interleave.has_value(); });
}

long numbered(const Plan& plan) {
  return std::ranges::count_if(
      plan.ops, [](const Op& op) { return op.descriptor.interleave && op.descriptor.interleave->numbered; });
}

/// The command that calls the kernel which fills a place.
std::uint32_t fill(const Plan& plan) {
  return machine::Message::command(machine::Command::Call, 0, plan.program.kernel("fill")->address).data;
}

MicroBatchRun run_on_model(const Plan& plan, const std::vector<float>& parameters) {
  const auto wafer = make_model_wafer(plan.wafer);
  const int sequences = plan.model.micro_batch;
  return run_micro_batch(plan, *wafer, parameters, random_tokens(plan, sequences, 2),
                         random_tokens(plan, sequences, 3));
}

/// A random mask of the blocks' matrices; none if `sparsity` is 0.
Mask mask_of(const Plan& whole, double sparsity) {
  Mask mask;
  for (const TensorInfo& t : whole.tensors)
    if (sparsity > 0 && t.name.starts_with("h.") && t.dims.size() == 2)
      mask[t.name] = memoryx::random_mask(t.name, t.size, sparsity, 1);
  return mask;
}

void expect_equal_bits(const Plan& together, const Plan& alone) {
  EXPECT_EQ(interleaved(alone), 0);
  std::vector<float> parameters = random_parameters(together, 1);
  prune(together.tensors, together.mask, parameters);
  const MicroBatchRun ours = run_on_model(together, parameters), theirs = run_on_model(alone, parameters);
  EXPECT_EQ(ours.loss_sum, theirs.loss_sum);
  EXPECT_TRUE(ours.grad == theirs.grad);
}

TEST(ShortVectors, HaveTheBitsOfOneOutputAtATime) {
  for (const int beats : {1, 2, 3, 4, 5, 6, 7})
    for (const int psum_cycles : {2, 4})
      for (const double sparsity : {0.0, 0.5, 0.9}) {
        SCOPED_TRACE(testing::Message() << beats << " beats, " << psum_cycles << " cycles, sparsity " << sparsity);
        const Mask mask = mask_of(compile(shape_of(beats), wafer_of(psum_cycles, true)), sparsity);
        const Plan together = compile(shape_of(beats), wafer_of(psum_cycles, true), mask),
                   alone = compile(shape_of(beats), wafer_of(psum_cycles, false), mask);
        if (beats < 5) {
          EXPECT_GT(interleaved(together), 5);
          EXPECT_GT(numbered(together), 5);
        }
        if (beats > 6) {
          EXPECT_EQ(interleaved(together), 0);
        }
        expect_equal_bits(together, alone);
      }
}

/// A row is home to five features: groups of two outputs of six beats, about 16 entries, would leave a single one.
TEST(ShortVectors, GroupsLeaveNoSmallerOneBehind) {
  const ModelShape model{
      .vocab = 40, .hidden = 40, .layers = 1, .heads = 8, .filter = 160, .seq = 24, .micro_batch = 5};
  const machine::WaferShape wafer{.rows = 8, .cols = 5, .sram_kib = 48, .valves = 8, .psum_cycles = 2};
  machine::WaferShape one_by_one = wafer;
  one_by_one.turns = false;
  const Plan plan = compile(model, wafer);
  const auto op = std::ranges::find(plan.ops, "h.0.mlp.c_proj", &Op::name);
  ASSERT_NE(op, plan.ops.end());
  ASSERT_TRUE(op->descriptor.interleave);
  EXPECT_EQ(op->descriptor.interleave->each, 5);
  expect_equal_bits(plan, compile(model, one_by_one));
}

/// On many rows an index names few vectors, so that one base does not reach an op's arrays and the always-one feature
/// of all ops. On 16 rows it names 4,096 vectors, here of 8 bytes, and a tile has 64 KiB.
struct Far {
  ModelShape model{.vocab = 50, .hidden = 64, .layers = 6, .heads = 2, .filter = 12000, .seq = 4};
  machine::WaferShape wafer{.rows = 16, .cols = 1, .sram_kib = 64, .valves = 16};
  explicit Far(int psum_cycles, bool interleaves) {
    model.micro_batch = 1;
    wafer.psum_cycles = psum_cycles, wafer.turns = interleaves;
  }
  Plan plan(const Mask& mask = {}) const { return compile(model, wafer, mask); }
};

void expect_equal_bits_far(int psum_cycles, double sparsity) {
  SCOPED_TRACE(testing::Message() << psum_cycles << " cycles, sparsity " << sparsity);
  const Mask mask = mask_of(Far(psum_cycles, true).plan(), sparsity);
  const Plan together = Far(psum_cycles, true).plan(mask), alone = Far(psum_cycles, false).plan(mask);
  std::size_t two = 0, filled = 0, named = 0;
  for (const Op& op : together.ops) {
    if (!op.descriptor.interleave || !op.name.starts_with("h.")) continue;
    two += op.descriptor.lines.size() == 2 ? 1 : 0;
    named += op.descriptor.interleave->numbered ? 1 : 0;
    filled += std::ranges::count(op.commands, fill(together), &StreamEntry::data) > 0 ? 1 : 0;
  }
  EXPECT_GT(two, 0U);
  EXPECT_GT(filled, 0U);
  EXPECT_LT(named, together.ops.size()) << "indices have no room for the numbers of all weights";
  expect_equal_bits(together, alone);
}

TEST(ShortVectors, HaveAnAlwaysOneFeatureBehindArraysThatAreFar) { expect_equal_bits_far(2, 0.8); }
TEST(ShortVectorsLong, HaveAnAlwaysOneFeatureBehindArraysThatAreFarIfDense) { expect_equal_bits_far(2, 0.0); }
TEST(ShortVectorsLong, HaveAnAlwaysOneFeatureBehindArraysThatAreFarInFourCycles) { expect_equal_bits_far(4, 0.0); }

/// Numbers take four bits of an index. A tile has 32 KiB, which an index reaches whole, but not one with a number.
TEST(ShortVectors, AreNumberedWithAMaskThoughTheAlwaysOneFeatureIsFar) {
  Far together(2, true), alone(2, false);
  together.model.filter = alone.model.filter = 640;
  together.wafer.sram_kib = alone.wafer.sram_kib = 32;
  const Mask mask = mask_of(together.plan(), 0.8);
  const Plan plan = together.plan(mask);
  long filled = 0, gemms = 0, named = 0;
  for (const Op& op : plan.ops) {
    if (!op.name.starts_with("h.") || !op.descriptor.interleave || !op.descriptor.own.empty()) continue;
    ++gemms;
    named += op.descriptor.interleave->numbered ? 1 : 0;
    filled += std::ranges::count(op.commands, fill(plan), &StreamEntry::data) > 0 ? 1 : 0;
  }
  EXPECT_GT(filled, 0);
  EXPECT_GT(gemms, 30);
  EXPECT_EQ(named, gemms);
  expect_equal_bits(plan, alone.plan(mask));
}

TEST(ShortVectors, NeedNoMoreMemoryThanOneOutputAtATime) {
  Far together(2, true), alone(2, false);
  const auto bytes = [](const Far& far, int sram_kib) {
    machine::WaferShape wafer = far.wafer;
    wafer.sram_kib = sram_kib;
    return 2 * MemoryPlan(far.model, wafer, Spaces(far.model, wafer.rows, {})).end;
  };
  // Until the places behind arrays are what does not fit.
  std::int64_t least = 0, most = 0;
  for (; least / 1024 == most / 1024; together.model.filter = alone.model.filter += 16)
    least = bytes(alone, 64), most = bytes(together, 64);
  together.model.filter = alone.model.filter -= 16;
  EXPECT_GT(most, least);
  EXPECT_EQ(bytes(together, static_cast<int>(most / 1024)), least);
}

TEST(ShortVectors, AreInterleavedInAPlanFromAFile) {
  SavedPlan saved;
  saved.plan = compile(shape_of(2), wafer_of(2, true));
  const SavedPlan read = decode_plan(encode_plan(saved), "file");
  ASSERT_EQ(read.plan.ops.size(), saved.plan.ops.size());
  EXPECT_GT(numbered(read.plan), 5);
  const std::vector<float> parameters = random_parameters(saved.plan, 1);
  for (std::size_t n = 0; n < read.plan.ops.size(); ++n) {
    std::vector<machine::Message> written, made;
    expand(saved.plan.ops[n], parameters, written);
    expand(read.plan.ops[n], parameters, made);
    EXPECT_TRUE(written == made) << read.plan.ops[n].name;
  }
}

}  // namespace
}  // namespace weft::compiler
