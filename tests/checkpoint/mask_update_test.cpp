/// Dynamic sparsity: runs that stop, fail and continue between mask updates.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "host/checkpoint/checkpoint.hpp"
#include "host/memoryx/diverged.hpp"
#include "sw/compiler/model/tensors.hpp"
#include "tests/checkpoint/train_run.hpp"
#include "tests/checkpoint/wrapped_wafer.hpp"

namespace weft::checkpoint {
namespace {

constexpr const char* kAll[] = {"set", "rigl", "gmp"};

class MaskUpdateTest : public TrainTest {
 protected:
  void move(const std::string& algorithm) {
    config_.sparsity = {.sparsity = 0.7, .algorithm = algorithm, .update_freq = 3, .update_start = 0, .update_stop = 9};
    if (algorithm == "gmp") config_.sparsity.initial_sparsity = 0.25;
  }
  Checkpoint checkpoint(const std::string& name, int step) const {
    return load_checkpoint(file(name, step), compiler::model_tensors(config_.model));
  }
  std::ptrdiff_t count(const Checkpoint& of) const {
    return std::ranges::count(of.mask.at("h.0.mlp.c_fc.weight"), true);
  }
  int line_with(const std::string& name, const std::string& text) const {
    std::istringstream lines(text_of(folder_ / (name + "/metrics.jsonl")));
    int at = 0;
    for (std::string line; std::getline(lines, line);) {
      ++at;
      if (line.find(text) != std::string::npos) return at;
    }
    return 0;
  }
};

TEST_F(MaskUpdateTest, AStepAfterAMaskUpdateIsTheSameForAnyWafersAndAfterAnyStop) {
  for (const char* algorithm : kAll) {
    SCOPED_TRACE(algorithm);
    move(algorithm);
    const std::string whole = std::string(algorithm) + "_whole";
    config_.runconfig.num_csx = 1;
    EXPECT_SAYS(run(whole, 11), "masks   updated in step 4: ");
    for (const int stop : {2, 3, 4, 7}) {  // before an update, right before it, after it, between two
      for (const int num_csx : {stop == 3 ? 1 : stop == 7 ? 4 : 2}) {
        const std::string cut = std::string(algorithm) + std::to_string(stop) + std::to_string(num_csx);
        config_.runconfig.num_csx = 1;
        run(cut, stop);
        config_.runconfig.num_csx = num_csx;
        run(cut, 11);
        expect_same_run(whole, cut, 11);
      }
    }
    EXPECT_EQ(line_with(whole, "\"kept\""), 4);
  }
}

TEST_F(MaskUpdateTest, PrunedWeightsAreZeroAndNewOnesBeginAtZero) {
  for (const char* algorithm : kAll) {
    SCOPED_TRACE(algorithm);
    move(algorithm);
    config_.runconfig.checkpoint_steps = 1;
    run(algorithm, 5);
    const Checkpoint before = checkpoint(algorithm, 3), after = checkpoint(algorithm, 4);
    EXPECT_EQ(checkpoint(algorithm, 2).mask, before.mask);
    EXPECT_EQ(checkpoint(algorithm, 5).mask, after.mask);
    EXPECT_NE(before.mask, after.mask);
    if (std::string(algorithm) == "gmp") {
      EXPECT_EQ(count(before), 96);                                        // out of 128 weights
      EXPECT_EQ(count(after), std::llround(128 * (0.3 + 0.45 * 8 / 27)));  // after a third of the schedule
    } else {
      EXPECT_EQ(count(before), count(after));
    }
    const auto tensors = compiler::model_tensors(config_.model);
    const std::vector<bool> kept = compiler::kept_parameters(tensors, after.mask),
                            old = compiler::kept_parameters(tensors, before.mask);
    std::size_t grown = 0;
    for (std::size_t k = 0; k < kept.size(); ++k) {
      if (!kept[k]) {
        EXPECT_EQ(after.weights[k], 0) << k;
        EXPECT_EQ(after.first_moments[k], 0) << k;
        EXPECT_EQ(after.second_moments[k], 0) << k;
      } else if (!old[k]) {  // one step old; its learning rate is at most 0.01
        ++grown;
        EXPECT_LE(std::abs(after.weights[k]), 0.0101F) << k;
      }
    }
    EXPECT_EQ(grown > 0, std::string(algorithm) != "gmp");
  }
}

TEST_F(MaskUpdateTest, SetAndRigLGrowOtherWeights) {
  move("set");
  run("set", 4);
  config_.sparsity.seed = 2;
  config_.sparsity.init_method = "topk";
  run("a", 4);
  config_.sparsity.seed = 3;
  run("b", 4);
  EXPECT_NE(checkpoint("a", 4).mask, checkpoint("b", 4).mask) << "the seed chooses what grows";
  move("rigl");
  run("rigl", 4);
  EXPECT_NE(checkpoint("set", 4).mask, checkpoint("rigl", 4).mask);
}

/// The step fails after its mask update: the saved state has the new masks, and the update is not repeated.
TEST_F(MaskUpdateTest, AStepThatFailsAfterItsMaskUpdateContinuesWithItsMasks) {
  for (const char* algorithm : kAll) {
    SCOPED_TRACE(algorithm);
    move(algorithm);
    const std::string whole = std::string(algorithm) + "_whole", cut = std::string(algorithm) + "_cut";
    run(whole, 6);
    int left = 3 * (std::string(algorithm) == "rigl" ? 4 : 3);  // micro-batches before the failing one
    config_.runconfig.model_dir = folder_ / cut;
    config_.runconfig.max_steps = 6;
    std::ostringstream out;
    EXPECT_THROW(train::train(
                     config_,
                     [&](int) {
                       return std::make_unique<ActingWafer>(config_.wafer, [&] {
                         if (left-- == 0) throw WaferHang("hangs on purpose");
                       });
                     },
                     out),
                 WaferHang);
    EXPECT_EQ(saved(cut), Names{"3"});
    EXPECT_EQ(checkpoint(cut, 3).about.at("dealt"), "3");
    run(cut, 6);
    expect_same_run(whole, cut, 6);
  }
}

TEST_F(MaskUpdateTest, RollbackRestoresTheCheckpointsMasks) {
  move("set");
  config_.runconfig.on_divergence = "rollback";
  config_.runconfig.checkpoint_steps = 3;
  config_.optimizer.max_gradient_norm = 0;
  config_.optimizer.learning_rate = {{.scheduler = "Constant", .learning_rate = 0.005, .total_iters = 4},
                                     {.scheduler = "Constant", .learning_rate = 1e30, .total_iters = 1},
                                     {.scheduler = "Constant", .learning_rate = 0.005}};
  EXPECT_SAYS(run("a", 6), "back to step 3, continues after step 5: ");
  EXPECT_EQ(checkpoint("a", 3).mask, checkpoint("a", 6).mask) << "step 4 and its mask update are gone";
  EXPECT_SAYS(run("a", 9), "masks   updated in step 7: ");
  config_.runconfig.num_csx = 2;
  run("b", 9);
  expect_same_run("a", "b", 9);
}

/// The growing gradient of step 4 is not finite: the mask update is skipped, and the run continues with its old masks.
TEST_F(MaskUpdateTest, AMaskUpdateThatDivergesIsSkippedWithItsStep) {
  move("rigl");
  config_.runconfig.on_divergence = "skip";
  config_.runconfig.checkpoint_steps = 1;
  config_.runconfig.model_dir = folder_ / "a";
  config_.runconfig.max_steps = 7;
  std::atomic<int> left = 3 * 3;  // micro-batches
  std::ostringstream out;
  EXPECT_EQ(train::train(
                config_,
                [&](int) {
                  return std::make_unique<ActingWafer>(config_.wafer, [&] {
                    if (left-- == 0) throw memoryx::Diverged("on purpose");
                  });
                },
                out),
            0);
  EXPECT_EQ(line_with("a", "\"skipped\""), 4);
  EXPECT_EQ(line_with("a", "\"kept\""), 7);
  EXPECT_EQ(checkpoint("a", 6).mask, checkpoint("a", 3).mask);
  EXPECT_NE(checkpoint("a", 7).mask, checkpoint("a", 3).mask);
  EXPECT_EQ(checkpoint("a", 4).weights, checkpoint("a", 3).weights);
  EXPECT_NE(checkpoint("a", 5).weights, checkpoint("a", 3).weights);
}

/// Masks on position embeddings move them in memory, which requires new wafers; other masks do not.
TEST_F(MaskUpdateTest, WafersKeepTheirStateIfTheNewMasksLoadTheSame) {
  config_.runconfig.num_csx = 2;
  for (const bool positions : {false, true}) {
    for (const char* algorithm : kAll) {
      SCOPED_TRACE(testing::Message() << algorithm << (positions ? ", positions" : ""));
      move(algorithm);
      if (positions) config_.sparsity.params_filter = {"wpe.weight", "h.*.weight"};
      const std::string whole = fmt::format("{}_{}", algorithm, positions), cut = whole + "_cut";
      std::atomic<int> made = 0;
      config_.runconfig.model_dir = folder_ / whole;
      config_.runconfig.max_steps = 11;
      std::ostringstream out;
      EXPECT_EQ(train::train(
                    config_,
                    [&](int) {
                      ++made;
                      return make_model_wafer(config_.wafer);
                    },
                    out),
                0);
      EXPECT_SAYS(out.str(), "masks   updated in step 4: ");
      EXPECT_EQ(made > 2, positions) << made;
      for (const int stop : {4, 8, 11}) run(cut, stop);  // each run begins with new wafers
      expect_same_run(whole, cut, 11);
    }
  }
}

TEST_F(MaskUpdateTest, ACheckpointOfOtherTensorsIsRejected) {
  move("set");
  run("a", 2);
  config_.sparsity.params_filter = {"h.0.mlp.*.weight"};
  EXPECT_SAYS(refusal("a", 3), "sparsity.params_filter: the checkpoint has a mask of h.0.attn.c_attn.weight as well");
  config_.sparsity = {};  // static sparsity would keep the masks
  EXPECT_SAYS(refusal("a", 5), "sparsity.algorithm was set and is static now");
  context_.allow_other_bits = true;
  run("a", 5);
  EXPECT_EQ(checkpoint("a", 5).mask, checkpoint("a", 2).mask);
}

}  // namespace
}  // namespace weft::checkpoint
