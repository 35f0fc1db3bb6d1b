/// Random networks are either rejected, or give the gradients of the reference in doubles.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

#include "sw/asm/program.hpp"
#include "sw/base/refusal.hpp"
#include "sw/compiler/check/check.hpp"
#include "sw/compiler/compile.hpp"
#include "tests/compiler/micro_batch.hpp"
#include "tests/network/random_network.hpp"
#include "tests/reference/network.hpp"

namespace weft::network {
namespace {

struct RandomCase {
  compiler::ModelShape model;
  machine::WaferShape wafer;

  RandomCase(unsigned seed, const RandomNetwork& network) {
    std::mt19937 random(seed);
    const auto pick = [&](int below) { return static_cast<int>(random() % static_cast<unsigned>(below)); };
    wafer = {.rows = 1 + pick(5), .cols = 1 + pick(4), .lanes = 2 << pick(3), .sram_kib = 128};
    wafer.psum_cycles = pick(2) == 0 ? 2 : 4, wafer.valves = 1 + pick(wafer.rows);
    if (pick(3) == 0) wafer.sequence_columns = wafer.cols;
    const int heads = 1 + pick(3),
              dim = 2 * (4 - heads + pick(5));  // a norm of few features has a negligible gradient
    model = {
        .vocab = 12 + pick(20), .hidden = heads * dim, .layers = 1 + pick(3), .heads = heads, .filter = 3 + pick(40)};
    model.seq = 2 + pick(11), model.micro_batch = 1 + pick(4), model.tied = false;
    model.recompute = pick(3) == 0 ? "block" : "none";
    model.classes = network.classes;
    if (network.turns) model.rotary_dim = 2 * (1 + pick(dim / 2));
    if (seed % 2 == 0) model.rotary.layout = "halves";
    if (network.shares && seed % 3 > 0) model.kv_heads = 1;
  }
};

void is_right(const compiler::Plan& plan) {
  std::set<std::string> names;
  for (const compiler::Op& op : plan.ops)
    EXPECT_TRUE(names.insert(op.name).second) << "two phases are called " << op.name;
  const std::vector<float> parameters = compiler::random_parameters(plan, 1, 0.5F);
  const auto inputs = compiler::random_tokens(plan, plan.model.micro_batch, 2),
             labels = compiler::random_labels(plan, plan.model.micro_batch, 3);
  const auto wafer = make_model_wafer(plan.wafer);
  const compiler::MicroBatchRun ours = compiler::run_micro_batch(plan, *wafer, parameters, inputs, labels);
  EXPECT_EQ(wafer->flags(), "");
  const reference::NetworkResult theirs = reference::reference_network(plan.model, parameters, inputs, labels);
  EXPECT_NEAR(ours.loss_sum / theirs.loss_sum, 1, 0.02);
  for (const compiler::TensorInfo& t : plan.tensors) {
    double dot = 0, a = 0, b = 0;
    for (std::uint64_t k = t.offset; k < t.offset + t.size; ++k)
      dot += ours.grad[k] * theirs.grad[k], a += ours.grad[k] * ours.grad[k], b += theirs.grad[k] * theirs.grad[k];
    if (std::sqrt(std::max(a, b)) < 0.02) continue;  // e.g. of keys' biases: only bf16 errors
    EXPECT_GT(dot / std::sqrt(a * b), 0.9) << t.name;
    EXPECT_NEAR(std::sqrt(a / b), 1, 0.2) << t.name;
  }
}

TEST(RandomNetworks, AreRefusedOrFollowTheReference) {
  const std::string file = testing::TempDir() + "random_network.yaml";
  int trained = 0;
  for (unsigned seed = 1; seed <= 400 && !testing::Test::HasFailure(); ++seed) {
    const RandomNetwork network(seed);
    SCOPED_TRACE(testing::Message() << "seed " << seed << "\n" << network.text);
    std::ofstream(file) << network.text << std::flush;
    RandomCase of(seed, network);
    of.model.network = file;
    try {
      const compiler::Plan plan = compiler::compile(of.model, of.wafer);
      is_right(plan);
      ++trained;
    } catch (const Refusal& refusal) {
      EXPECT_NE(std::string(refusal.what()).find("HINT: "), std::string::npos);
      EXPECT_EQ(dynamic_cast<const assembler::AssemblyError*>(&refusal), nullptr) << refusal.what();
    }
  }
  std::filesystem::remove(file);
  EXPECT_GT(trained, 60);
}

}  // namespace
}  // namespace weft::network
