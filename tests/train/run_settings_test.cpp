/// Settings that identify a run: another value of one that changes bits is rejected at resume, or starts another run.
#include "host/train/run_settings.hpp"

#include <fmt/format.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "host/checkpoint/reader.hpp"
#include "host/train/checkpoint_metadata.hpp"
#include "sw/compiler/model/tensors.hpp"
#include "tests/checkpoint/train_run.hpp"

namespace weft::train {
namespace {

class RunSettings : public checkpoint::TrainTest {
 protected:
  checkpoint::Metadata about(const std::string& name, int step) const {
    return checkpoint::open_checkpoint(file(name, step), compiler::model_tensors(config_.model))->about;
  }
  /// Removes from a checkpoint the entries not recorded by programs before `settings_recorded`.
  void make_old(const std::string& name, int step) const {
    const auto tensors = compiler::model_tensors(config_.model);
    checkpoint::Checkpoint old = checkpoint::load_checkpoint(file(name, step), tensors);
    for (const char* key : {kSettingsRecorded,
                            "network_content",
                            "wafer.rows",
                            "wafer.cols",
                            "wafer.lanes",
                            "wafer.sequence_columns",
                            "wafer.attention",
                            "train_input.micro_batch_size",
                            "train_input.pad_documents",
                            "model.hidden_size",
                            "model.num_hidden_layers",
                            "model.filter_size",
                            "model.max_sequence_length",
                            "model.vocab_size",
                            "model.share_embedding_weights",
                            "model.label_smoothing",
                            "model.document_end",
                            "optimizer.frozen_params",
                            "runconfig.on_divergence",
                            "runconfig.max_loss_jump"})
      EXPECT_EQ(old.about.erase(key), 1U) << key;
    checkpoint::save_checkpoint(file(name, step), tensors,
                                {old.step, old.weights, old.first_moments, old.second_moments, &old.mask, old.about});
  }
  std::string run_of_line(const std::string& name, int step) const {
    std::istringstream lines(checkpoint::text_of(folder_ / (name + "/metrics.jsonl")));
    std::string line;
    for (int k = 0; k < step; ++k) std::getline(lines, line);
    return nlohmann::json::parse(line).at("run");
  }
};

TEST_F(RunSettings, AResumeWithAnotherSettingThatChangesBitsIsRejectedByName) {
  config_.optimizer.weight_decay = 0.1;
  run("a", 2);
  struct Change {
    std::string text;
    std::function<void(config::Config&)> make;
  };
  const std::vector<Change> changes = {
      {"wafer.rows was 2 and is 3 now", [](config::Config& c) { c.wafer.rows = 3; }},
      {"wafer.cols was 2 and is 4 now", [](config::Config& c) { c.wafer.cols = 4; }},
      {"wafer.lanes was 4 and is 2 now", [](config::Config& c) { c.wafer.lanes = 2; }},
      {"wafer.sequence_columns was 1 and is 2 now", [](config::Config& c) { c.wafer.sequence_columns = 2; }},
      {"train_input.micro_batch_size was 2 and is 3 now", [](config::Config& c) { c.model.micro_batch = 3; }},
      {"train_input.batch_size was 6 and is 4 now", [](config::Config& c) { c.train_input.batch_size = 4; }},
      {"train_input.seed was 1 and is 2 now", [](config::Config& c) { c.train_input.seed = 2; }},
      {"runconfig.seed was 1 and is 2 now", [](config::Config& c) { c.runconfig.seed = 2; }},
      {"model.label_smoothing was 0 and is 0.1 now", [](config::Config& c) { c.model.label_smoothing = 0.1F; }},
      {"model.layer_norm_epsilon was 1e-05 and is 0.001 now", [](config::Config& c) { c.model.ln_eps = 1e-3F; }},
      {"model.document_end was -1 and is 3 now", [](config::Config& c) { c.model.document_end = 3; }},
      {R"(optimizer.frozen_params was "" and is wpe.weight now)",
       [](config::Config& c) { c.optimizer.frozen_params = {"wpe.weight"}; }},
      {R"(optimizer.no_decay_params was "" and is wpe.weight now)",
       [](config::Config& c) { c.optimizer.no_decay_params = {"wpe.weight"}; }},
      {R"(optimizer.decay_params was "" and is *.bias now)",
       [](config::Config& c) { c.optimizer.decay_params = {"*.bias"}; }},
      {"optimizer.weight_decay was 0.1 and is 0.2 now", [](config::Config& c) { c.optimizer.weight_decay = 0.2; }},
      {"optimizer.betas was 0.9, 0.999 and is 0.9, 0.9 now",
       [](config::Config& c) {
         c.optimizer.betas = {0.9, 0.9};
       }},
      {"optimizer.learning_rate was Linear 0 to 0.01 in 4, Constant 0.005 and is Constant 0.005 now",
       [](config::Config& c) { c.optimizer.learning_rate.erase(c.optimizer.learning_rate.begin()); }},
      {"runconfig.on_divergence was stop and is skip now",
       [](config::Config& c) { c.runconfig.on_divergence = "skip"; }},
      {"runconfig.max_loss_jump was 0 and is 2 now", [](config::Config& c) { c.runconfig.max_loss_jump = 2; }},
  };
  const config::Config before = config_;
  const std::string lines = metrics("a");
  for (const Change& change : changes) {
    change.make(config_);
    EXPECT_SAYS(refusal("a", 3), "mine.yaml: runconfig.model_dir: " + file("a", 2) +
                                     ": belongs to a run with other settings, which change the bits: " + change.text +
                                     ". HINT: ");
    config_ = before;
  }
  changes.front().make(config_);
  changes[2].make(config_);
  EXPECT_SAYS(refusal("a", 3),
              "wafer.lanes was 4 and is 2 now, wafer.rows was 2 and is 3 now. HINT: restore these settings; or start a "
              "separate run from this file, with --checkpoint_path and another --model_dir; or continue here as "
              "another run, with --allow_other_bits.");
  config_ = before;
  EXPECT_EQ(metrics("a"), lines);
  EXPECT_EQ(run("a", 4).find("note "), std::string::npos) << "nothing has changed";
  run("b", 4);
  expect_same_run("a", "b", 4);
}

TEST_F(RunSettings, OthersMayChangeFromStopToStop) {
  run("whole", 6);
  run("a", 2);
  config_.runconfig.num_csx = 3;
  config_.swarmx_fanout = 2;
  config_.runconfig.checkpoint_steps = 1;
  config_.runconfig.keep_checkpoint_max = 2;
  config_.wafer.sram_kib *= 2;
  config_.wafer.psum_cycles = 2;
  config_.memoryx_threads = 2;
  config_.memoryx_eager_update = true;
  config_.optimizer.momentum = 0.5;  // momentum of SGD
  std::filesystem::rename(folder_ / "a", folder_ / "moved");
  EXPECT_EQ(run("moved", 6).find("note "), std::string::npos);
  EXPECT_EQ(metrics("whole"), metrics("moved"));
  EXPECT_EQ(about("whole", 6).at("run"), about("moved", 6).at("run"));
}

TEST_F(RunSettings, OtherPatternsOfTheSameTensorsAreNoOtherSetting) {
  config_.optimizer.weight_decay = 0.1;
  config_.optimizer.frozen_params = {"wte.weight", "wpe.weight"};
  config_.optimizer.no_decay_params = {"h.*.attn.*.weight"};
  config_.optimizer.decay_params = {"ln_f.*"};
  config_.sparsity.sparsity = 0.5;
  run("whole", 4);
  run("a", 2);
  const std::string first = about("a", 2).at("run");
  config_.optimizer.frozen_params = {"wp*", "wte.weight"};
  config_.optimizer.no_decay_params = {"h.0.attn.c_proj.weight", "h.0.attn.*"};
  config_.optimizer.decay_params = {"ln_f.bias", "ln_f.weight"};
  config_.sparsity.params_filter = {"h.0.*"};
  EXPECT_EQ(run("a", 4).find("note "), std::string::npos);
  EXPECT_EQ(about("a", 4).at("run"), first);
  expect_same_run("whole", "a", 4);
  config_.optimizer.frozen_params = {"wte.weight"};
  EXPECT_SAYS(refusal("a", 5), "optimizer.frozen_params was wte.weight, wpe.weight and is wte.weight now");
}

TEST_F(RunSettings, AnAllowedChangeMakesAnotherRunWhoseLinesFollow) {
  run("a", 2);
  const std::string first = about("a", 2).at("run");
  const config::Config before = config_;
  config_.model.label_smoothing = 0.1F;
  context_.allow_other_bits = true;
  const std::string out = run("a", 4);
  const std::string second = about("a", 4).at("run");
  EXPECT_NE(first, second);
  EXPECT_SAYS(out, "note    model.label_smoothing was 0 and is 0.1 now; the run continues at data position 12: ");
  EXPECT_SAYS(out, "note    another run, " + second + ", continues run " + first + " here (--allow_other_bits)\n");
  EXPECT_EQ(about("a", 4).at("run_before"), first);
  EXPECT_EQ(run_of_line("a", 2), first);
  EXPECT_EQ(run_of_line("a", 3), second);

  EXPECT_EQ(run("a", 5).find("note "), std::string::npos) << "the same command continues the second run";
  context_.allow_other_bits = false;
  EXPECT_EQ(run("a", 6).find("note "), std::string::npos) << "without the flag, too";
  EXPECT_EQ(about("a", 6).at("run"), second);
  config_ = before;
  EXPECT_SAYS(refusal("a", 7), "model.label_smoothing was 0.1 and is 0 now");
  context_.allow_other_bits = true;
  run("a", 7);
  EXPECT_EQ(about("a", 7).at("run_before"), second + "," + first);
  damage(file("a", 7));
  config_.model.label_smoothing = 0.1F;
  EXPECT_SAYS(run("a", 8), "resume  " + file("a", 6)) << "the second run still continues";
}

TEST_F(RunSettings, ARunThatWasStoppedRightAfterAnAllowedChangeCanGoBack) {
  config_.runconfig.checkpoint_steps = 2;
  run("whole", 6);
  run("a", 2);
  const std::string checkpoint = checkpoint::text_of(file("a", 2)),
                    lines = checkpoint::text_of(folder_ / "a/metrics.jsonl");
  config_.optimizer.weight_decay = 0.1;
  context_.allow_other_bits = true;
  run("a", 3);
  std::filesystem::remove(file("a", 3));  // as if killed before it saved
  config_.optimizer.weight_decay = 0;
  context_.allow_other_bits = false;
  run("a", 6);
  expect_same_run("whole", "a", 6);
}

TEST_F(RunSettings, AnotherBatchContinuesWithTheSampleThatFollows) {
  run("a", 2);
  config_.train_input.batch_size = 4;
  context_.allow_other_bits = true;
  EXPECT_SAYS(run("a", 3), "the run continues at data position 12: place 12 of 249 in epoch 0\n");
  EXPECT_EQ(about("a", 3).at("data_position"), "16");
  EXPECT_EQ(run("a", 5).find("note "), std::string::npos);
  EXPECT_EQ(about("a", 5).at("data_position"), "24");

  config_.train_input.batch_size = 6;
  config_.runconfig.checkpoint_path = file("a", 5);
  EXPECT_SAYS(run("other", 6),
              "note    train_input.batch_size was 4 and is 6 now; the run continues at data position 24");
  EXPECT_EQ(about("other", 6).at("data_position"), "30");
}

TEST_F(RunSettings, AStopDoesNotShowAfterAChangeOfTheBatch) {
  run("a", 2);
  std::filesystem::copy(folder_ / "a", folder_ / "b", std::filesystem::copy_options::recursive);
  config_.train_input.batch_size = 4;
  context_.allow_other_bits = true;
  run("a", 6);
  run("b", 3);
  config_.runconfig.num_csx = 2;
  run("b", 6);
  expect_same_run("a", "b", 6);
}

TEST_F(RunSettings, AFileToStartFromMakesARunOfItsOwnWithoutTheFlag) {
  run("a", 2);
  const std::string first = about("a", 2).at("run");
  config_.runconfig.checkpoint_path = file("a", 2);
  EXPECT_EQ(run("same", 3).find("note "), std::string::npos);
  EXPECT_EQ(about("same", 3).at("run"), first) << "the same settings elsewhere";
  config_.wafer.lanes = 2;
  EXPECT_SAYS(run("other", 3), "note    wafer.lanes was 4 and is 2 now; ");
  EXPECT_NE(about("other", 3).at("run"), first);
  EXPECT_FALSE(about("other", 3).contains("run_before"));
}

TEST_F(RunSettings, AnEvaluationNotesOtherSettingsOfModelAndWafer) {
  run("a", 2);
  const auto note = [&] {
    const auto checkpoint = checkpoint::open_checkpoint(file("a", 2), compiler::model_tensors(config_.model));
    return note_mathematics(config_, *checkpoint).value_or("");
  };
  config_.train_input.batch_size = 8;
  config_.wafer.lanes = 8;
  EXPECT_EQ(note(), "") << "what is exported or generated";
  config_.runconfig.mode = "eval";
  EXPECT_EQ(note(), "note    wafer.lanes was 4 and is 8 now");
  config_.model.ln_eps = 0.5F;
  EXPECT_EQ(note(), "note    model.layer_norm_epsilon was 1e-05 and is 0.5 now, wafer.lanes was 4 and is 8 now");
}

TEST_F(RunSettings, AnOlderCheckpointContinuesAndMissingRecordsAreNoted) {
  run("whole", 4);
  run("a", 2);
  make_old("a", 2);
  const std::string out = run("a", 4);
  EXPECT_SAYS(out, "note    " + file("a", 2) +
                       ", from an older Weft, does not record model.max_sequence_length, runconfig.max_loss_jump, "
                       "runconfig.on_divergence, train_input.micro_batch_size, wafer.cols, wafer.lanes, wafer.rows, "
                       "wafer.sequence_columns; these settings are assumed to be unchanged\n");
  expect_same_run("whole", "a", 4);
  EXPECT_EQ(run("a", 5).find("note "), std::string::npos) << "all is recorded now";
}

TEST_F(RunSettings, AnOlderCheckpointsOwnSettingsAreHeldAgainstTheRunsAsWell) {
  run("a", 2);
  make_old("a", 2);
  const config::Config before = config_;
  config_.train_input.batch_size = 4;
  EXPECT_SAYS(refusal("a", 4), "which change the bits: train_input.batch_size was 6 and is 4 now. HINT: ");
  config_ = before;
  config_.model.label_smoothing = 0.1F;
  EXPECT_SAYS(refusal("a", 4), "model.label_smoothing was 0 and is 0.1 now") << "a smoothed run would have recorded it";
  config_ = before;
  config_.wafer.lanes = 2;
  EXPECT_SAYS(run("a", 4), "does not record ") << "nobody knows";
}

TEST_F(RunSettings, DerivedKeysAreComparedByTheirContent) {
  run("a", 2);
  const std::string here = folder_ / "corpus.txt", there = folder_ / "moved.txt";
  std::filesystem::copy_file(here, there);
  config_.train_input.data_dir = there;
  config_.wafer.sequence_columns = 1;  // as chosen by auto
  EXPECT_EQ(run("a", 3).find("note "), std::string::npos) << "the same tokens elsewhere";
  const std::string mine = folder_ / "network.yaml", text = network::network_text("gpt2");
  checkpoint::write_text(mine, "# a comment\n" + text + "\n\n# another\n");
  config_.model.network = mine;
  EXPECT_EQ(run("a", 4).find("note "), std::string::npos) << "the same network but for comments";
  checkpoint::write_text(there, checkpoint::text_of(here).substr(0, 1000));
  EXPECT_SAYS(refusal("a", 5), "train_input.data_dir was " + there + " (2000 tokens, checksum ");
  config_.train_input.data_dir = here;
  config_.train_input.more_data_dirs = {here};
  EXPECT_SAYS(refusal("a", 5), "train_input.weights was \"\" and is 5000:5000 now");
}

TEST_F(RunSettings, SettingsOfAnUnusedPartDoNotCount) {
  config_.train_input.shuffle = false;
  run("a", 2);
  config_.train_input.seed = 7;
  config_.sparsity.seed = 7;
  config_.optimizer.no_decay_params = {"wte.weight"};
  config_.optimizer.dampening = 0.5;
  EXPECT_EQ(run("a", 4).find("note "), std::string::npos);
}

}  // namespace
}  // namespace weft::train
