/// Gradients of random shapes compared with GPT-2 in double precision.
#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <span>

#include "sw/compiler/compile.hpp"
#include "tests/compiler/micro_batch.hpp"
#include "tests/reference/gpt.hpp"
#include "tests/shapes/job.hpp"

namespace weft::test {
namespace {

/// Angle and ratio of lengths of two gradients.
struct Likeness {
  Likeness(std::span<const double> ours, std::span<const double> theirs) {
    double dot = 0, our_square = 0, their_square = 0;
    for (std::size_t k = 0; k < ours.size(); ++k) {
      dot += ours[k] * theirs[k];
      our_square += ours[k] * ours[k];
      their_square += theirs[k] * theirs[k];
    }
    cosine = dot / std::sqrt(our_square * their_square);
    ratio = std::sqrt(our_square / their_square);
  }
  double cosine, ratio;
};

/// With two features, a LayerNorm's output is -1 and 1 and its gradient consists of cancellation; with two tokens, so
/// does the gradient of the loss. Little of either remains in bf16.
bool comparable(const compiler::ModelShape& m) { return m.hidden >= 8 && m.vocab >= 8; }

/// For single tensors, few features of the MLP cancel in the same way, and the rounding of many layers accumulates.
bool every_tensor_comparable(const compiler::ModelShape& m) { return m.filter >= 8 && m.layers <= 6; }

/// Returns whether every tensor was compared, not only the whole gradient.
bool expect_gradients(const Job& job) {
  const compiler::Plan plan = compiler::compile(job.model, job.wafer);
  const auto seed = static_cast<unsigned>(job.seed);
  const auto parameters = compiler::random_parameters(plan, seed);
  const auto inputs = compiler::random_tokens(plan, job.model.micro_batch, seed + 1),
             labels = compiler::random_tokens(plan, job.model.micro_batch, seed + 2);
  const auto wafer = make_model_wafer(plan.wafer);
  const compiler::MicroBatchRun run = compiler::run_micro_batch(plan, *wafer, parameters, inputs, labels);
  EXPECT_EQ(wafer->flags(), "");
  const reference::ReferenceResult reference =
      reference::reference_gpt(job.model, plan.tensors, parameters, inputs, labels);
  const double tokens = static_cast<double>(inputs.size());
  EXPECT_NEAR(run.loss_sum / tokens, reference.loss_sum / tokens, 0.01);

  const std::span<const double> ours = run.grad, theirs = reference.grad;
  const Likeness whole(ours, theirs);
  EXPECT_GE(whole.cosine, 0.999);
  EXPECT_NEAR(whole.ratio, 1, 0.03);
  if (!every_tensor_comparable(job.model)) return false;
  for (const compiler::TensorInfo& t : plan.tensors) {
    const Likeness tensor(ours.subspan(t.offset, t.size), theirs.subspan(t.offset, t.size));
    EXPECT_GE(tensor.cosine, 0.999) << t.name;
    EXPECT_NEAR(tensor.ratio, 1, 0.03) << t.name;
  }
  return true;
}

/// `count` shapes whose tensors are compared one by one, and those in between.
void expect_gradients_of_many(int count) {
  Rng rng(test_seed());
  for (int tensors = 0; tensors < count;) {
    Job job = random_legal_job(rng, kForGradients);
    job.sparsity = 0;  // tests/compiler/gradient_test.cpp covers masks
    if (!comparable(job.model)) continue;
    std::cout << tensors << ": " << job << std::endl;
    SCOPED_TRACE(testing::Message() << job);
    tensors += expect_gradients(job);
  }
}

TEST(Shapes, TenRandomOnesHaveTheReferencesGradients) { expect_gradients_of_many(10); }
TEST(ShapesLong, FiftyRandomOnesHaveTheReferencesGradients) { expect_gradients_of_many(50); }

}  // namespace
}  // namespace weft::test
