/// A whole micro-batch on the functional model against GPT-2 in double precision: loss and every tensor's gradient.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/compiler/micro_batch.hpp"
#include "tests/reference/gpt.hpp"

namespace weft {
namespace {

struct Case {
  const char* name;
  ModelShape model;
  WaferShape wafer;
};

std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }

ModelShape shape(int vocab, int hidden, int layers, int heads, int filter, int seq, bool tied, int micro_batch) {
  ModelShape m;
  m.vocab = vocab, m.hidden = hidden, m.layers = layers, m.heads = heads, m.filter = filter, m.seq = seq, m.tied = tied;
  m.micro_batch = micro_batch;
  return m;
}

WaferShape mesh(int rows, int cols, int valves = 1) {
  WaferShape w;
  w.rows = rows, w.cols = cols, w.valves = valves;
  return w;
}

class Gradient : public testing::TestWithParam<Case> {};

TEST_P(Gradient, OfEveryTensorFollowsTheReference) {
  const Plan plan = compile(GetParam().model, GetParam().wafer);
  const ModelShape& m = plan.model;
  const auto parameters = random_parameters(plan, 7);
  const auto inputs = random_tokens(plan, m.micro_batch, 1), labels = random_tokens(plan, m.micro_batch, 2);
  const auto wafer = make_model_wafer(plan.wafer);
  const MicroBatchRun run = run_micro_batch(plan, *wafer, parameters, inputs, labels);
  EXPECT_EQ(wafer->flags(), "");
  const ReferenceResult reference = reference_gpt(m, plan.tensors, parameters, inputs, labels);

  const double tokens = static_cast<double>(inputs.size());
  EXPECT_NEAR(run.loss_sum / tokens, reference.loss_sum / tokens, 0.01);
  for (const TensorInfo& t : plan.tensors) {
    double dot = 0, ours = 0, theirs = 0;
    for (std::uint64_t k = t.offset; k < t.offset + t.size; ++k) {
      dot += run.grad[k] * reference.grad[k];
      ours += run.grad[k] * run.grad[k];
      theirs += reference.grad[k] * reference.grad[k];
    }
    EXPECT_GE(dot / std::sqrt(ours * theirs), 0.999) << t.name;
    EXPECT_NEAR(std::sqrt(ours / theirs), 1, 0.03) << t.name;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, Gradient,
    testing::Values(Case{"one_tile", shape(11, 8, 1, 2, 12, 8, true, 1), mesh(1, 1)},
                    Case{"two_rows", shape(11, 8, 1, 2, 12, 8, true, 1), mesh(2, 1)},
                    Case{"tiny", shape(96, 32, 2, 4, 128, 32, true, 4), mesh(4, 4)},
                    Case{"oblong_untied", shape(90, 24, 3, 3, 80, 16, false, 3), mesh(2, 3)},
                    Case{"heads_spread_over_rows", shape(30, 24, 1, 2, 40, 12, true, 2), mesh(5, 2, 3)},
                    Case{"three_heads_on_four_rows", shape(30, 24, 1, 3, 40, 13, true, 5), mesh(4, 3, 2)}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace weft
