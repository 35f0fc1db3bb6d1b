/// Runs that stop and go on, in one process: functional-model wafers, a model of one layer.
#include "host/appliance/train/train.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <sstream>

#include "host/appliance/train/load_weights.hpp"
#include "host/appliance/train/start.hpp"
#include "host/memoryx/pruning.hpp"
#include "host/swarmx/error.hpp"
#include "sw/compiler/tensors.hpp"
#include "tests/appliance/temporary_folder.hpp"
#include "tests/checkpoint/run_folder.hpp"

namespace weft {
namespace {

using Names = std::vector<std::string>;

/// A wafer that gets stuck when all wafers together were waited for `left` times.
class FailingWafer final : public Wafer {
 public:
  FailingWafer(const WaferShape& shape, std::atomic<int>& left) : wafer_(make_model_wafer(shape)), left_(left) {}
  const WaferShape& shape() const override { return wafer_->shape(); }
  void feed(std::span<const Message> messages) override { wafer_->feed(messages); }
  void await(std::span<const std::uint64_t> totals) override {
    if (--left_ < 0) throw WaferStuck("stuck on purpose");
    wafer_->await(totals);
  }
  void settle() override { wafer_->settle(); }
  std::vector<std::uint32_t>& outlet(int row) override { return wafer_->outlet(row); }
  std::vector<std::uint16_t> sram(int row, int col) const override { return wafer_->sram(row, col); }
  WaferCounters counters() const override { return wafer_->counters(); }
  std::string flags() const override { return wafer_->flags(); }

 private:
  std::unique_ptr<Wafer> wafer_;
  std::atomic<int>& left_;
};

class TrainTest : public testing::Test {
 protected:
  TrainTest() {
    std::string text;
    for (int i = 0; i < 2000; ++i) text += static_cast<char>('a' + i * i % 13);
    write_text(folder_ / "corpus.txt", text);
    config_.file = "mine.yaml";
    config_.model = {
        .vocab = 14, .hidden = 8, .layers = 1, .heads = 2, .filter = 16, .seq = 8, .tied = true, .micro_batch = 2};
    config_.wafer = {.rows = 2, .cols = 2};
    config_.train_input.data_dir = folder_ / "corpus.txt";
    config_.train_input.batch_size = 6;
    config_.optimizer.learning_rate = {{.scheduler = "Linear", .end_learning_rate = 0.01, .total_iters = 4},
                                       {.scheduler = "Constant", .learning_rate = 0.005}};
    config_.optimizer.max_gradient_norm = 1;
  }

  /// `weft run` with these steps in the folder `name`; what it prints.
  std::string run(const std::string& name, int steps) {
    config_.runconfig.model_dir = folder_ / name;
    config_.runconfig.max_steps = steps;
    std::ostringstream out;
    EXPECT_EQ(train(
                  config_, [&](int) { return make_model_wafer(config_.wafer); }, out),
              0);
    return out.str();
  }
  std::string refusal(const std::string& name, int steps) {
    try {
      return "accepted: " + run(name, steps);
    } catch (const CheckpointError& e) {
      return e.what();
    } catch (const ConfigError& e) {
      return e.what();
    }
  }

  /// What checkpoints are there, as step numbers in order of name.
  Names saved(const std::string& name) const {
    Names result;
    for (const std::string& file : folder_.names(name)) {
      if (file.starts_with("checkpoint_")) result.push_back(file.substr(11, file.find('.') - 11));
    }
    return result;
  }
  std::string file(const std::string& name, int step) const { return checkpoint_file(folder_ / name, step); }
  std::string metrics(const std::string& name) const { return metrics_without(folder_ / name, {"seconds"}); }
  void expect_same_run(const std::string& a, const std::string& b, int steps) {
    EXPECT_EQ(text_of(file(a, steps)), text_of(file(b, steps)));
    EXPECT_EQ(metrics(a), metrics(b));
    EXPECT_EQ(folder_.names(b).front(), ".lock");
  }
  void damage(const std::string& path) {
    std::string text = text_of(path);
    text[text.size() / 2] ^= 4;
    write_text(path, text);
  }

  TestFolder folder_{"train_test"};
  Config config_;
};

#define EXPECT_SAYS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

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

TEST_F(TrainTest, ASparseRunGoesOnWithItsMasks) {
  for (const char* method : {"random", "topk"}) {
    config_.sparsity = {.init_method = method, .sparsity = 0.8};
    const std::string whole = std::string(method) + "_whole", cut = std::string(method) + "_cut";
    run(whole, 6);
    run(cut, 3);
    run(cut, 6);
    expect_same_run(whole, cut, 6);
  }
  const Checkpoint checkpoint = load_checkpoint(file("topk_cut", 6), gpt2_tensors(config_.model));
  EXPECT_TRUE(checkpoint.mask.contains("h.0.mlp.c_fc.weight"));
  config_.sparsity.sparsity = 0.7;
  EXPECT_SAYS(refusal("topk_cut", 8), "sparsity.sparsity: the checkpoint's masks are others, first that of h.0.attn");
  config_.sparsity = {};  // goes on sparse without the section
  run("topk_cut", 8);
  EXPECT_EQ(load_checkpoint(file("topk_cut", 8), gpt2_tensors(config_.model)).mask, checkpoint.mask);
}

TEST_F(TrainTest, MasksOfATrainedModelAreOfItsWeights) {
  run("dense", 2);
  config_.sparsity = {.init_method = "topk", .sparsity = 0.8, .params_filter = {"h.0.mlp.c_fc.weight"}};
  EXPECT_EQ(
      refusal("dense", 3),
      "mine.yaml: sparsity.sparsity: the checkpoint in runconfig.model_dir is of a dense run. HINT: start from it "
      "with --checkpoint_path in another runconfig.model_dir.");
  config_.runconfig.checkpoint_path = file("dense", 2);
  run("pruned", 3);
  const auto tensors = gpt2_tensors(config_.model);
  const Checkpoint dense = load_checkpoint(file("dense", 2), tensors),
                   pruned = load_checkpoint(file("pruned", 3), tensors);
  const TensorInfo& fc = find_tensor(tensors, "h.0.mlp.c_fc.weight");
  const auto of_dense = std::span(dense.weights).subspan(fc.offset, fc.size);
  EXPECT_EQ(pruned.mask, (Mask{{fc.name, topk_mask(of_dense, 0.8)}}));
  for (std::uint64_t k = 0; k < fc.size; ++k) {
    const bool kept = pruned.mask.at(fc.name)[k];
    EXPECT_EQ(pruned.weights[fc.offset + k] != 0, kept);
    EXPECT_EQ(pruned.second_moments[fc.offset + k] != 0, kept);  // those of before are gone, too
  }
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
  config_.runconfig.seed = 99;  // the file decides
  config_.runconfig.checkpoint_path = file("whole", 0);
  EXPECT_SAYS(run("again", 4), "start   " + file("whole", 0) + ": 0 steps done\n");
  EXPECT_EQ(metrics("whole"), metrics("again"));
}

TEST_F(TrainTest, StepsThatAreDoneAreNotDoneAgain) {
  run("a", 3);
  const std::string before = text_of(file("a", 3));
  const std::string metrics_before = metrics("a");
  EXPECT_SAYS(run("a", 3), "done    3 steps, of 3 asked for; a larger --num_steps goes on");
  EXPECT_SAYS(run("a", 1), "done    3 steps, of 1 asked for");
  EXPECT_EQ(text_of(file("a", 3)), before);
  EXPECT_EQ(metrics("a"), metrics_before);
}

TEST_F(TrainTest, ADamagedCheckpointIsPassedOverAndNamed) {
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
                                 ": is damaged, as are all 3 of its folder. HINT: put a whole one there, or "
                                 "set another runconfig.model_dir.");
}

TEST_F(TrainTest, AnotherModelsCheckpointIsRefusedAndNothingIsTouched) {
  run("a", 2);
  const std::string before = metrics("a");
  config_.model.hidden = 12;
  EXPECT_SAYS(refusal("a", 4), "mine.yaml: runconfig.model_dir: " + file("a", 2) +
                                   ": wte.weight: shape is [14, 8], the model's is [14, 12]. HINT: ");
  EXPECT_EQ(metrics("a"), before);
  EXPECT_EQ(saved("a"), Names{"2"});
}

TEST_F(TrainTest, ARenamedOrForeignFileIsNoStateToGoOnFrom) {
  run("a", 2);
  std::filesystem::rename(file("a", 2), file("a", 3));
  EXPECT_SAYS(refusal("a", 4), file("a", 3) + ": is of step 2. HINT: give it its own name again.");
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
  const auto tensors = gpt2_tensors(config_.model);
  const Checkpoint trained = load_checkpoint(file("whole", 3), tensors);
  std::vector<TensorView> views;
  for (const TensorInfo& t : tensors) {
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
  EXPECT_SAYS(out, "start   " + folder_ / "theirs.safetensors" + ": weights alone\n");
  EXPECT_SAYS(out, "note    there is no vocab.json beside " + folder_ / "theirs.safetensors" + ": a vocabulary of 7 ");
  const Checkpoint start = load_checkpoint(file("a", 0), tensors);
  EXPECT_EQ(start.weights, trained.weights);
  EXPECT_EQ(start.first_moments, std::vector<float>(trained.weights.size()));
  EXPECT_EQ(saved("a"), (Names{"0", "1"}));

  std::filesystem::remove_all(folder_ / "a");
  std::filesystem::create_directories(folder_ / "a");
  write_text(file("a", 7), text);
  EXPECT_SAYS(refusal("a", 9), file("a", 7) + ": has weights alone. HINT: start from it with --checkpoint_path");
}

TEST_F(TrainTest, ChangedSettingsOfTheDataAreNamed) {
  run("a", 2);
  config_.train_input.batch_size = 4;
  config_.train_input.shuffle = false;
  const std::string out = run("a", 3);
  EXPECT_SAYS(
      out,
      "note    train_input.batch_size was 6 and is 4 now, train_input.shuffle was true and is false now; the run "
      "goes on at data position 8: place 8 of 249 in epoch 0\n");
}

TEST_F(TrainTest, ChangedSettingsAreNamedAlsoOfAFileToStartFrom) {
  run("a", 2);
  config_.runconfig.checkpoint_path = file("a", 2);
  EXPECT_EQ(run("same", 3).find("note "), std::string::npos);
  config_.train_input.batch_size = 4;
  EXPECT_SAYS(run("other", 3),
              "note    train_input.batch_size was 6 and is 4 now; the run goes on at data position 8: ");
  EXPECT_EQ(run("other", 4).find("note "), std::string::npos) << "it was said";
}

TEST_F(TrainTest, AnotherEpsilonIsNamed) {
  run("a", 2);
  config_.model.ln_eps = 1e-3F;
  const std::string note = "note    model.layer_norm_epsilon was 1e-05 and is 0.001 now";
  const Start start = load_weights(config_, gpt2_tensors(config_.model));
  EXPECT_EQ(start.lines.back(), note);
  EXPECT_SAYS(run("a", 3), note + "; the run goes on at data position 12: ");
}

TEST_F(TrainTest, AnotherNumberOfHeadsIsRefused) {
  run("a", 2);
  config_.model.heads = 4;
  const std::string problem =
      file("a", 2) + ": was trained with model.num_heads 2, not 4. HINT: set model.num_heads 2.";
  EXPECT_EQ(refusal("a", 2), "mine.yaml: runconfig.model_dir: " + problem) << "even if nothing is left to do";
  const auto load = [&] {
    try {
      load_weights(config_, gpt2_tensors(config_.model));
    } catch (const ConfigError& e) {
      return std::string(e.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(load(), "mine.yaml: runconfig.model_dir: " + problem);
  config_.runconfig.checkpoint_path = file("a", 2);
  EXPECT_EQ(load(), "mine.yaml: runconfig.checkpoint_path: " + problem);
  EXPECT_EQ(refusal("b", 3), "mine.yaml: runconfig.checkpoint_path: " + problem);
}

TEST_F(TrainTest, ACheckpointThatDoesNotNameItsHeadsOrEpsilonPasses) {
  run("a", 2);
  const auto tensors = gpt2_tensors(config_.model);
  Checkpoint old = load_checkpoint(file("a", 2), tensors);
  EXPECT_EQ(old.about.erase("model.num_heads") + old.about.erase("model.layer_norm_epsilon"), 2U);
  save_checkpoint(file("a", 2), tensors,
                  {old.step, old.weights, old.first_moments, old.second_moments, &old.mask, old.about});
  config_.model.heads = 4;
  config_.model.ln_eps = 1e-3F;
  EXPECT_EQ(run("a", 3).find("note "), std::string::npos);
}

TEST_F(TrainTest, AVocabularyThatIsMadeAnewIsNamed) {
  run("a", 2);
  const std::string corpus = folder_ / "corpus.txt";
  const auto lose = [&] { std::filesystem::remove(folder_ / "a/vocab.json"); };
  const std::string note = "note    there is no vocab.json beside " + file("a", 2) +
                           ": a vocabulary of 7 characters was made of " + corpus +
                           "; ids may mean other characters than in training\n";
  config_.runconfig.checkpoint_path = file("a", 2);
  EXPECT_EQ(run("with", 3).find("note "), std::string::npos);
  lose();
  EXPECT_SAYS(run("without", 3), note);
  config_.runconfig.checkpoint_path.clear();
  EXPECT_SAYS(run("a", 3), note);
  EXPECT_EQ(run("a", 4).find("note "), std::string::npos) << "it is there again";
}

TEST_F(TrainTest, ARunOnShardsLeavesNoVocabularyOfAnEarlierOne) {
  run("a", 2);
  std::filesystem::remove(file("a", 2));
  config_.train_input.data_dir = folder_ / "corpus.bin";
  write_text(folder_ / "corpus.bin", shard_bytes(std::vector<std::uint16_t>(200, 3)));
  run("a", 2);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "a/vocab.json"));
  EXPECT_SAYS(run("a", 3), "resume ");
}

TEST_F(TrainTest, OtherDataIsNamed) {
  run("a", 2);
  const std::string here = folder_ / "corpus.txt", there = folder_ / "moved.txt";
  std::filesystem::rename(here, there);
  config_.train_input.data_dir = there;
  EXPECT_EQ(run("a", 3).find("note "), std::string::npos) << "the same tokens elsewhere";
  const std::string text = text_of(there);
  write_text(there, text.substr(0, 105));
  const std::string out = run("a", 4);
  EXPECT_SAYS(out, "note    train_input.data_dir was " + there + " (2000 tokens, checksum ");
  EXPECT_SAYS(out, ") and is " + there + " (105 tokens, checksum ");
  EXPECT_SAYS(out, ") now; the run goes on at data position 18: place 5 of 13 in epoch 1\n");
  EXPECT_EQ(run("a", 5).find("note "), std::string::npos) << "it was said";
  write_text(there, text.substr(0, 104) + text.substr(1, 1));
  EXPECT_SAYS(run("a", 6), "note    train_input.data_dir was ") << "as many tokens, but others";
}

TEST_F(TrainTest, AFreshRunReplacesMetricsThatNoCheckpointKnows) {
  std::filesystem::create_directories(folder_ / "a");
  write_text(folder_ / "a/metrics.jsonl", "{\"step\": 1, \"loss\": 0}\n");
  run("a", 2);
  run("b", 2);
  EXPECT_EQ(metrics("a"), metrics("b"));
}

TEST_F(TrainTest, AStepThatFailsLosesNothing) {
  std::atomic<int> left = 1 << 30;
  const auto run_failing = [&](const std::string& name) {
    config_.runconfig.model_dir = folder_ / name;
    config_.runconfig.max_steps = 4;
    std::ostringstream out;
    train(
        config_, [&](int) { return std::make_unique<FailingWafer>(config_.wafer, left); }, out);
  };
  run_failing("whole");
  const int a_step = ((1 << 30) - left) / 4;
  left = 2 * a_step + a_step / 2;
  EXPECT_THROW(run_failing("a"), std::runtime_error);
  EXPECT_EQ(saved("a"), Names{"2"});
  run("a", 4);
  expect_same_run("whole", "a", 4);
}

TEST_F(TrainTest, ADivergedStateIsNotKept) {
  config_.optimizer.learning_rate = {{.scheduler = "Constant", .learning_rate = 1e20F}};
  config_.optimizer.max_gradient_norm = 0;
  try {
    run("diverged", 9);
    FAIL();
  } catch (const LossNotFinite& error) {
    EXPECT_SAYS(std::string(error.what()), "HINT: the weights have diverged; lower optimizer.learning_rate");
  }
  EXPECT_EQ(saved("diverged"), Names{});
}

TEST_F(TrainTest, ARunThatFailsInItsFirstStepLeavesNothing) {
  run("whole", 1);
  std::atomic<int> left{0};
  for (const std::string name : {"fails", "whole"}) {
    const Names before = name == "whole" ? folder_.names(name) : Names{};
    config_.runconfig.model_dir = folder_ / name;
    config_.runconfig.max_steps = 3;
    std::ostringstream out;
    EXPECT_THROW(train(
                     config_, [&](int) { return std::make_unique<FailingWafer>(config_.wafer, left); }, out),
                 WaferStuck);
    if (!before.empty()) {
      EXPECT_EQ(folder_.names(name), before);
    }
  }
  EXPECT_FALSE(std::filesystem::exists(folder_ / "fails"));
}

}  // namespace
}  // namespace weft
