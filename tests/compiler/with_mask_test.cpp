/// Plans of several masks from one prepared half equal a full compilation with each mask, and a wafer that ran one of
/// them can run the next.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>

#include "sw/base/refusal.hpp"
#include "sw/compiler/compile.hpp"
#include "sw/compiler/plan/plan_file.hpp"
#include "sw/compiler/prepared.hpp"
#include "sw/compiler/stream/expand.hpp"
#include "tests/compiler/micro_batch.hpp"
#include "tests/compiler/random_masks.hpp"
#include "tests/network/third.hpp"

namespace weft::compiler {
namespace {

class WithMask : public testing::Test {
 protected:
  WithMask() { std::ofstream(third_) << network::kThird; }
  ~WithMask() override { std::filesystem::remove(third_); }

  /// A random model that compiles for its wafer.
  std::shared_ptr<const Prepared> random_prepared() {
    const std::string networks[] = {"gpt2", "gptj", third_};
    for (;;) {
      try {
        return prepare(random_model(rng_, networks[rng_.below(3)]), random_wafer(rng_));
      } catch (const Refusal&) {
      }
    }
  }

  /// Compares the plans of five masks of each of `models` models.
  void expect_whole_compiles(int models);

  // A unique name, since tests run in parallel.
  const std::string third_ =
      testing::TempDir() + testing::UnitTest::GetInstance()->current_test_info()->name() + ".yaml";
  test::Rng rng_{test::test_seed()};
};

std::vector<std::string> op_names(const Plan& plan) {
  std::vector<std::string> list;
  for (const Op& op : plan.ops) list.push_back(op.name);
  return list;
}

/// Compares the plans' files, and all messages and returned words.
void expect_same_plan(const Plan& plan, const Plan& whole) {
  ASSERT_EQ(op_names(plan), op_names(whole));
  EXPECT_TRUE(encode_plan({plan, "", 0}) == encode_plan({whole, "", 0}));
  EXPECT_TRUE(plan.mask == whole.mask && plan.load == whole.load && plan.program.words == whole.program.words);
  EXPECT_EQ(plan.position_index, whole.position_index);
  EXPECT_EQ(plan.position_address, whole.position_address);
  const auto text = random_tokens(plan, plan.model.micro_batch, 1);
  EXPECT_TRUE(plan.tokens(text, text) == whole.tokens(text, text));
  const std::vector<float> parameters = random_parameters(whole, 3);
  std::vector<machine::Message> ours, theirs;
  for (std::size_t n = 0; n < whole.ops.size(); ++n) {
    SCOPED_TRACE(whole.ops[n].name);
    EXPECT_EQ(plan.ops[n].returned, whole.ops[n].returned);
    expand(plan.ops[n], parameters, ours);
    expand(whole.ops[n], parameters, theirs);
    EXPECT_TRUE(ours == theirs);
    EXPECT_EQ(gradient_parameters(plan.ops[n]), gradient_parameters(whole.ops[n]));
  }
}

void WithMask::expect_whole_compiles(int models) {
  int same_load = 0, other_load = 0, other_counts = 0, other_ops = 0;
  for (int n = 0; n < models; ++n) {
    const auto prepared = random_prepared();
    std::optional<Plan> before;
    for (int k = 0; k < 5; ++k) {
      SCOPED_TRACE(testing::Message() << "model " << n << ", mask " << k);
      const Mask mask = random_mask_of(rng_, prepared->tensors);
      const Gradients gradients = rng_.chance(30) ? Gradients::OfAll : Gradients::OfKept;
      Plan plan =
          before ? with_mask(*before, mask, gradients) : with_mask(prepared, mask, Placement::ByLoad, gradients);
      EXPECT_EQ(plan.prepared, prepared) << "graph, memory and program are made once";
      expect_same_plan(plan, with_mask(prepare(prepared->model, prepared->wafer), mask, Placement::ByLoad, gradients));
      if (gradients == Gradients::OfKept) expect_same_plan(plan, compile(prepared->model, prepared->wafer, mask));
      if (before) {
        ++(plan.load == before->load ? same_load : other_load);
        other_counts += !std::ranges::equal(plan.row_constants, before->row_constants, {}, &RowConstants::words,
                                            &RowConstants::words);
        other_ops += op_names(plan) != op_names(*before);
        EXPECT_EQ(plan.program.words, before->program.words);
        EXPECT_EQ(plan.memory_map, before->memory_map);
      }
      before = std::move(plan);
    }
  }
  EXPECT_GT(same_load, models * 2 / 3);
  EXPECT_GT(other_load, models / 6) << "positions elsewhere";
  EXPECT_GT(other_counts, models / 20) << "rows with other numbers of features";
  EXPECT_GT(other_ops, models / 6) << "gradients by the features of outputs";
}

TEST_F(WithMask, IsTheWholeCompileOfThatMaskWhateverMasksPreceded) { expect_whole_compiles(20); }

using WithMaskLong = WithMask;
TEST_F(WithMaskLong, IsTheWholeCompileOfThatMaskWhateverMasksPreceded) { expect_whole_compiles(60); }

/// Runs a micro-batch on a loaded, idle wafer and leaves it idle.
MicroBatchRun run_at_rest(const Plan& plan, Wafer& wafer, std::vector<std::uint64_t>& delivered,
                          const std::vector<float>& parameters) {
  const int sequences = plan.model.micro_batch;
  const auto inputs = random_tokens(plan, sequences, 2), labels = random_tokens(plan, sequences, 3);
  return run_loaded(plan, wafer, delivered, parameters, inputs, labels);
}

/// The micro-batch before it used another mask and NaN weights, whose values are still in memory.
TEST_F(WithMask, AWaferThatRanAPlanRunsEachThatLoadsItTheSame) {
  int ran = 0;
  for (int n = 0; n < 60; ++n) {
    const auto prepared = random_prepared();
    Plan plan = with_mask(prepared, random_mask_of(rng_, prepared->tensors));
    const auto used = make_model_wafer(plan.wafer);
    used->feed(plan.load);
    std::vector<std::uint64_t> delivered(static_cast<std::size_t>(plan.wafer.rows));
    for (int k = 0; k < 4; ++k) {
      SCOPED_TRACE(testing::Message() << "model " << n << ", mask " << k);
      const std::vector<float> nowhere(plan.parameters, std::numeric_limits<float>::quiet_NaN());
      run_at_rest(plan, *used, delivered, nowhere);
      Plan next = with_mask(plan, random_mask_of(rng_, prepared->tensors),
                            rng_.chance(30) ? Gradients::OfAll : Gradients::OfKept);
      if (next.load != plan.load) continue;
      plan = std::move(next);
      const std::vector<float> parameters = random_parameters(plan, 1);
      const MicroBatchRun again = run_at_rest(plan, *used, delivered, parameters);
      const auto fresh = make_model_wafer(plan.wafer);
      fresh->feed(plan.load);
      std::vector<std::uint64_t> none(delivered.size());
      const MicroBatchRun first = run_at_rest(plan, *fresh, none, parameters);
      EXPECT_EQ(again.loss_sum, first.loss_sum);
      EXPECT_TRUE(again.grad == first.grad);
      EXPECT_EQ(used->flags(), "");
      ++ran;
    }
  }
  EXPECT_GT(ran, 40);
}

TEST_F(WithMask, PlanFromAFileIsRejected) {
  const Plan plan = compile({}, {});
  const Plan read = decode_plan(encode_plan({plan, "", 0}), "x").plan;
  EXPECT_THROW(with_mask(read, {}), std::invalid_argument);
  EXPECT_THROW(with_mask(plan, {{"wte.weight", {true, false}}}), std::invalid_argument);
}

}  // namespace
}  // namespace weft::compiler
