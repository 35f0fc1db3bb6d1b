/// Runs that stop and continue.
#include "host/train/train.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <functional>
#include <sstream>

#include "host/checkpoint/checkpoint.hpp"
#include "host/memoryx/pruning.hpp"
#include "host/swarmx/base/error.hpp"
#include "sw/compiler/model/tensors.hpp"
#include "tests/checkpoint/train_run.hpp"

namespace weft::checkpoint {
namespace {

TEST_F(TrainTest, TenStepsAreFiveAndFiveByteForByte) {
  run("whole", 10);
  for (const int num_csx : {1, 2, 3}) {
    const std::string name = "cut" + std::to_string(num_csx);
    config_.runconfig.num_csx = 1;
    run(name, 5);
    config_.runconfig.num_csx = num_csx;
    config_.swarmx_fanout = 2;
    EXPECT_SAYS(run(name, 10), "resume  " + file(name, 5) + ": 5 steps done\n");
    expect_same_run("whole", name, 10);
  }
}

TEST_F(TrainTest, ASparseRunContinuesWithItsMasks) {
  for (const char* method : {"random", "topk"}) {
    config_.sparsity = {.init_method = method, .sparsity = 0.8};
    const std::string whole = std::string(method) + "_whole", cut = std::string(method) + "_cut";
    run(whole, 6);
    run(cut, 3);
    run(cut, 6);
    expect_same_run(whole, cut, 6);
  }
  const Checkpoint checkpoint = load_checkpoint(file("topk_cut", 6), compiler::model_tensors(config_.model));
  EXPECT_TRUE(checkpoint.mask.contains("h.0.mlp.c_fc.weight"));
  config_.sparsity.sparsity = 0.7;
  EXPECT_SAYS(refusal("topk_cut", 8), "sparsity.sparsity: the checkpoint's masks differ, first the mask of h.0.attn");
  config_.sparsity = {};  // stays sparse without the section
  run("topk_cut", 8);
  EXPECT_EQ(load_checkpoint(file("topk_cut", 8), compiler::model_tensors(config_.model)).mask, checkpoint.mask);
}

TEST_F(TrainTest, MasksOfATrainedModelAreOfItsWeights) {
  run("dense", 2);
  config_.sparsity = {.init_method = "topk", .sparsity = 0.8, .params_filter = {"h.0.mlp.c_fc.weight"}};
  EXPECT_EQ(refusal("dense", 3),
            "mine.yaml: sparsity.sparsity: the checkpoint in runconfig.model_dir is from a dense run. HINT: start from "
            "it with --checkpoint_path in another runconfig.model_dir.");
  config_.runconfig.checkpoint_path = file("dense", 2);
  run("pruned", 3);
  const auto tensors = compiler::model_tensors(config_.model);
  const Checkpoint dense = load_checkpoint(file("dense", 2), tensors),
                   pruned = load_checkpoint(file("pruned", 3), tensors);
  const compiler::TensorInfo& fc = compiler::find_tensor(tensors, "h.0.mlp.c_fc.weight");
  const auto of_dense = std::span(dense.weights).subspan(fc.offset, fc.size);
  EXPECT_EQ(pruned.mask, (compiler::Mask{{fc.name, memoryx::topk_mask(of_dense, 0.8)}}));
  for (std::uint64_t k = 0; k < fc.size; ++k) {
    const bool kept = pruned.mask.at(fc.name)[k];
    EXPECT_EQ(pruned.weights[fc.offset + k] != 0, kept);
    EXPECT_EQ(pruned.second_moments[fc.offset + k] != 0, kept);  // earlier moments are cleared, too
  }
}

/// A model pruned by another program: weights only, some of them zero.
TEST_F(TrainTest, ZerosOfACheckpointAreAMask) {
  run("dense", 2);
  const auto tensors = compiler::model_tensors(config_.model);
  Checkpoint theirs = load_checkpoint(file("dense", 2), tensors);
  const compiler::TensorInfo& fc = compiler::find_tensor(tensors, "h.0.mlp.c_fc.weight");
  std::vector<bool> kept(fc.size, true);
  for (std::uint64_t k = 0; k < fc.size; k += 3) theirs.weights[fc.offset + k] = 0, kept[k] = false;
  const std::string pruned = file("dense", 2) + ".pruned.safetensors";
  save_checkpoint(pruned, tensors,
                  {theirs.step, theirs.weights, theirs.first_moments, theirs.second_moments, nullptr, theirs.about});

  config_.sparsity.init_method = "checkpoint";
  EXPECT_SAYS(refusal("other", 3), "sparsity.init_method: checkpoint, but there is none yet. HINT: ");
  config_.runconfig.checkpoint_path = pruned;
  EXPECT_SAYS(run("other", 3), "sparse  zeros of the checkpoint, h.*.weight: ");
  run("other", 4);
  const Checkpoint after = load_checkpoint(file("other", 4), tensors);
  EXPECT_EQ(after.mask, (compiler::Mask{{fc.name, kept}}));
  for (std::uint64_t k = 0; k < fc.size; ++k) EXPECT_EQ(after.weights[fc.offset + k] != 0, kept[k]);
}

TEST_F(TrainTest, CheckpointsAreWrittenWhenTheyAreDueAndTheOldestGo) {
  config_.runconfig.checkpoint_steps = 2;
  config_.runconfig.save_initial_checkpoint = true;
  run("all", 5);
  EXPECT_EQ(saved("all"), (Names{"0", "2", "4", "5"}));
  config_.runconfig.keep_checkpoint_max = 2;
  run("two", 5);
  EXPECT_EQ(saved("two"), (Names{"0", "4", "5"})) << "the one that was asked for stays";
  config_.runconfig.checkpoint_steps = 0;
  run("two", 7);
  EXPECT_EQ(saved("two"), (Names{"0", "5", "7"}));
  config_.runconfig.save_initial_checkpoint = false;
  run("two", 8);
  EXPECT_EQ(saved("two"), (Names{"7", "8"}));
  EXPECT_SAYS(run("end", 3), "\ncheckpoint " + file("end", 3) + "\n");
  EXPECT_EQ(saved("end"), (Names{"3"}));
}

TEST_F(TrainTest, TheFirstCheckpointIsTheInitialStateAndARunFromItIsTheSame) {
  config_.runconfig.save_initial_checkpoint = true;
  run("whole", 4);
  config_.runconfig.save_initial_checkpoint = false;
  config_.runconfig.seed = 99;  // the seed in the file has precedence
  config_.runconfig.checkpoint_path = file("whole", 0);
  EXPECT_SAYS(run("again", 4), "start   " + file("whole", 0) + ": 0 steps done\n");
  EXPECT_EQ(metrics("whole"), metrics("again"));
}

TEST_F(TrainTest, StepsThatAreDoneAreNotDoneAgain) {
  run("a", 3);
  const std::string before = text_of(file("a", 3));
  const std::string metrics_before = metrics("a");
  EXPECT_SAYS(run("a", 3), "done    3 steps, of 3 asked for; a larger --num_steps continues");
  EXPECT_SAYS(run("a", 1), "done    3 steps, of 1 asked for");
  EXPECT_EQ(text_of(file("a", 3)), before);
  EXPECT_EQ(metrics("a"), metrics_before);
}

TEST_F(TrainTest, ADamagedCheckpointIsSkippedAndNamed) {
  config_.runconfig.checkpoint_steps = 2;
  run("whole", 6);
  run("a", 4);
  damage(file("a", 4));
  const std::string out = run("a", 6);
  EXPECT_SAYS(out, "skipped " + file("a", 4) + ": is damaged: its checksum does not match");
  EXPECT_SAYS(out, "resume  " + file("a", 2));
  expect_same_run("whole", "a", 6);
  EXPECT_EQ(text_of(file("a", 4)), text_of(file("whole", 4)));

  for (const int step : {2, 4, 6}) damage(file("a", step));
  EXPECT_EQ(refusal("a", 8), "mine.yaml: runconfig.model_dir: " + file("a", 6) +
                                 ": is damaged: its checksum does not match, and none of the 3 checkpoints of its "
                                 "folder can be used. HINT: put an undamaged checkpoint there, or set another "
                                 "runconfig.model_dir.");
}

TEST_F(TrainTest, ACheckpointOfARunThatHadDivergedIsSkippedAndNamed) {
  config_.runconfig.checkpoint_steps = 2;
  run("whole", 6);
  run("a", 4);
  const std::vector<compiler::TensorInfo> tensors = compiler::model_tensors(config_.model);
  const auto diverge = [&](int step) {
    Checkpoint c = load_checkpoint(file("a", step), tensors);
    c.weights[1] = NAN;
    save_checkpoint(file("a", step), tensors, {c.step, c.weights, c.first_moments, c.second_moments, &c.mask, c.about});
  };
  diverge(4);
  const std::string out = run("a", 6);
  EXPECT_SAYS(out, "skipped " + file("a", 4) + ": wte.weight: element 1 is not finite. HINT: take an earlier");
  EXPECT_SAYS(out, "resume  " + file("a", 2));
  expect_same_run("whole", "a", 6);
  for (const int step : {2, 4, 6}) diverge(step);
  EXPECT_EQ(refusal("a", 8),
            "mine.yaml: runconfig.model_dir: " + file("a", 6) +
                ": wte.weight: element 1 is not finite, and none of the 3 checkpoints of its folder "
                "can be used. HINT: put an undamaged checkpoint there, or set another runconfig.model_dir.");
}

TEST_F(TrainTest, AnotherModelsCheckpointIsRejectedAndNothingIsTouched) {
  run("a", 2);
  const std::string before = metrics("a");
  config_.model.hidden = 12;
  EXPECT_SAYS(refusal("a", 4), "mine.yaml: runconfig.model_dir: " + file("a", 2) +
                                   ": wte.weight: shape is [14, 8], the model's is [14, 12]. HINT: ");
  EXPECT_EQ(metrics("a"), before);
  EXPECT_EQ(saved("a"), Names{"2"});
}

TEST_F(TrainTest, ARenamedOrForeignFileIsNoStateToContinueFrom) {
  run("a", 2);
  std::filesystem::rename(file("a", 2), file("a", 3));
  EXPECT_SAYS(refusal("a", 4),
              file("a", 3) + ": has the state of step 2. HINT: give the file its original name again.");
}

TEST_F(TrainTest, AFileToStartFromIsForTheFirstStartOnly) {
  config_.runconfig.checkpoint_steps = 2;
  run("whole", 6);
  config_.runconfig.checkpoint_path = file("whole", 2);
  EXPECT_SAYS(run("a", 4), "start   " + file("whole", 2) + ": 2 steps done\n");
  EXPECT_SAYS(run("a", 6), "resume  " + file("a", 4) + ": 4 steps done\n");
  EXPECT_EQ(text_of(file("whole", 6)), text_of(file("a", 6)));
  config_.runconfig.checkpoint_path = folder_ / "none.safetensors";
  EXPECT_SAYS(refusal("b", 6), folder_ / "none.safetensors" + ": cannot be read: No such file or directory");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "b"));
}

TEST_F(TrainTest, AnotherProgramsWeightsStartAtStepZero) {
  run("whole", 3);
  const auto tensors = compiler::model_tensors(config_.model);
  const Checkpoint trained = load_checkpoint(file("whole", 3), tensors);
  std::vector<TensorView> views;
  for (const compiler::TensorInfo& t : tensors) {
    views.push_back({"transformer." + t.name,
                     Dtype::F32,
                     {t.dims.begin(), t.dims.end()},
                     {reinterpret_cast<const std::uint8_t*>(&trained.weights[t.offset]), 4 * t.size}});
  }
  std::string text = safetensors_header({}, views);
  for (const TensorView& view : views) text.append(view.data.begin(), view.data.end());
  write_text(folder_ / "theirs.safetensors", text);
  config_.runconfig.checkpoint_path = folder_ / "theirs.safetensors";
  config_.runconfig.save_initial_checkpoint = true;
  const std::string out = run("a", 1);
  EXPECT_SAYS(out, "start   " + folder_ / "theirs.safetensors" + ": weights only\n");
  EXPECT_SAYS(out, "note    there is no vocab.json next to " + folder_ / "theirs.safetensors" + ": a vocabulary of 7 ");
  const Checkpoint start = load_checkpoint(file("a", 0), tensors);
  EXPECT_EQ(start.weights, trained.weights);
  EXPECT_EQ(start.first_moments, std::vector<float>(trained.weights.size()));
  EXPECT_EQ(saved("a"), (Names{"0", "1"}));

  std::filesystem::remove_all(folder_ / "a");
  std::filesystem::create_directories(folder_ / "a");
  write_text(file("a", 7), text);
  EXPECT_SAYS(refusal("a", 9), file("a", 7) + ": has weights only. HINT: start from it with --checkpoint_path");
}

TEST_F(TrainTest, AFreshRunReplacesMetricsThatNoCheckpointKnows) {
  std::filesystem::create_directories(folder_ / "a");
  write_text(folder_ / "a/metrics.jsonl", "{\"step\": 1, \"loss\": 0}\n");
  run("a", 2);
  run("b", 2);
  EXPECT_EQ(metrics("a"), metrics("b"));
}

}  // namespace
}  // namespace weft::checkpoint
