/// Runs that continue with different settings or data: the change is rejected or reported.
#include "host/train/load_weights.hpp"
#include "host/train/run_settings.hpp"
#include "sw/compiler/model/tensors.hpp"
#include "tests/checkpoint/train_run.hpp"
#include "tests/temporary_folder.hpp"

namespace weft::checkpoint {
namespace {

TEST_F(TrainTest, ChangedSettingsOfTheDataAreRejectedAndNamed) {
  run("a", 2);
  config_.train_input.batch_size = 4;
  config_.train_input.shuffle = false;
  const std::string changes =
      "train_input.batch_size was 6 and is 4 now, train_input.shuffle was true and is false now";
  EXPECT_SAYS(refusal("a", 3), changes + ". HINT: ");
  context_.allow_other_bits = true;
  EXPECT_SAYS(run("a", 3),
              "note    " + changes + "; the run continues at data position 12: place 12 of 249 in epoch 0\n");
}

TEST_F(TrainTest, ChangedSettingsAreNamedOfAFileToStartFrom) {
  run("a", 2);
  config_.runconfig.checkpoint_path = file("a", 2);
  EXPECT_EQ(run("same", 3).find("note "), std::string::npos);
  config_.train_input.batch_size = 4;
  EXPECT_SAYS(run("other", 3),
              "note    train_input.batch_size was 6 and is 4 now; the run continues at data position 12: ");
  EXPECT_EQ(run("other", 4).find("note "), std::string::npos) << "printed once";
}

TEST_F(TrainTest, AnotherEpsilonIsNamed) {
  run("a", 2);
  config_.model.ln_eps = 1e-3F;
  const std::string note = "note    model.layer_norm_epsilon was 1e-05 and is 0.001 now";
  const train::ResumePoint start = train::load_weights(config_, compiler::model_tensors(config_.model));
  EXPECT_EQ(start.lines.back(), note);
  EXPECT_SAYS(refusal("a", 3), note.substr(8) + ". HINT: ");
  context_.allow_other_bits = true;
  EXPECT_SAYS(run("a", 3), note + "; the run continues at data position 12: ");
}

TEST_F(TrainTest, AnotherNumberOfHeadsIsRejected) {
  run("a", 2);
  config_.model.heads = 4;
  const std::string problem =
      file("a", 2) + ": was trained with model.num_heads 2, not 4. HINT: set model.num_heads 2.";
  EXPECT_EQ(refusal("a", 2), "mine.yaml: runconfig.model_dir: " + problem) << "even if nothing is left to do";
  const auto load = [&] {
    try {
      train::load_weights(config_, compiler::model_tensors(config_.model));
    } catch (const Refusal& e) {
      return std::string(e.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(load(), "mine.yaml: runconfig.model_dir: " + problem);
  config_.runconfig.checkpoint_path = file("a", 2);
  EXPECT_EQ(load(), "mine.yaml: runconfig.checkpoint_path: " + problem);
  EXPECT_EQ(refusal("b", 3), "mine.yaml: runconfig.checkpoint_path: " + problem);
}

TEST_F(TrainTest, AnotherNetworkOfTheSameTensorsIsRejected) {
  run("a", 2);
  std::string text = network::network_text("gpt2");
  const std::string mine = folder_ / "mine_network.yaml";
  write_text(mine, text + "\n# a note\n");
  config_.model.network = mine;
  EXPECT_EQ(train::load_weights(config_, compiler::model_tensors(config_.model)).lines.size(), 1u)
      << "comments do not count";
  run("a", 3);
  text.replace(text.find("network: gpt2"), 13, "network: mine");
  write_text(mine, text);
  EXPECT_EQ(refusal("a", 4),
            "mine.yaml: runconfig.model_dir: " + file("a", 3) +
                ": was trained with model.network gpt2, not mine. HINT: set model.network gpt2, or the "
                "path of that file.");
}

TEST_F(TrainTest, AnotherNumberOfFeaturesThatTurnIsRejected) {
  config_.model.network = "gptj", config_.model.rotary_dim = 2, config_.model.tied = false;
  run("a", 2);
  config_.model.rotary_dim = 4;
  EXPECT_EQ(refusal("a", 3), "mine.yaml: runconfig.model_dir: " + file("a", 2) +
                                 ": was trained with model.rotary_dim 2, not 4. HINT: set model.rotary_dim 2.");
}

TEST_F(TrainTest, ACheckpointThatDoesNotNameItsHeadsOrEpsilonPasses) {
  run("a", 2);
  const auto tensors = compiler::model_tensors(config_.model);
  Checkpoint old = load_checkpoint(file("a", 2), tensors);
  for (const char* key : {"model.num_heads", "model.layer_norm_epsilon", train::kSettingsRecorded})
    EXPECT_EQ(old.about.erase(key), 1U);
  save_checkpoint(file("a", 2), tensors,
                  {old.step, old.weights, old.first_moments, old.second_moments, &old.mask, old.about});
  config_.model.heads = 4;
  config_.model.ln_eps = 1e-3F;
  EXPECT_SAYS(
      run("a", 3),
      "does not record model.layer_norm_epsilon, model.num_heads; these settings are assumed to be unchanged\n");
}

TEST_F(TrainTest, AVocabularyThatIsMadeAgainIsNamed) {
  run("a", 2);
  const std::string corpus = folder_ / "corpus.txt";
  const auto lose = [&] { std::filesystem::remove(folder_ / "a/vocab.json"); };
  const std::string note = "note    there is no vocab.json next to " + file("a", 2) +
                           ": a vocabulary of 7 characters was made of " + corpus +
                           "; ids may mean other characters than in training\n";
  config_.runconfig.checkpoint_path = file("a", 2);
  EXPECT_EQ(run("with", 3).find("note "), std::string::npos);
  lose();
  EXPECT_EQ(run("same", 3).find("note "), std::string::npos) << "the checkpoint says which it was";
  const auto tensors = compiler::model_tensors(config_.model);
  Checkpoint old = load_checkpoint(file("a", 2), tensors);
  EXPECT_EQ(old.about.erase("vocabulary"), 1U);
  save_checkpoint(file("a", 2), tensors,
                  {old.step, old.weights, old.first_moments, old.second_moments, &old.mask, old.about});
  EXPECT_SAYS(run("without", 3), note);
  config_.runconfig.checkpoint_path.clear();
  EXPECT_SAYS(run("a", 3), note);
  EXPECT_EQ(run("a", 4).find("note "), std::string::npos) << "it is there again";
}

TEST_F(TrainTest, ARunOnShardsLeavesNoVocabularyOfAnEarlierOne) {
  run("a", 2);
  std::filesystem::remove(file("a", 2));
  config_.train_input.data_dir = folder_ / "corpus.bin";
  write_text(folder_ / "corpus.bin", test::shard_bytes(std::vector<std::uint16_t>(200, 3)));
  run("a", 2);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "a/vocab.json"));
  EXPECT_SAYS(run("a", 3), "resume ");
}

TEST_F(TrainTest, OtherDataIsRejectedAndNamed) {
  run("a", 2);
  const std::string here = folder_ / "corpus.txt", there = folder_ / "moved.txt";
  std::filesystem::rename(here, there);
  config_.train_input.data_dir = there;
  EXPECT_EQ(run("a", 3).find("note "), std::string::npos) << "the same tokens elsewhere";
  const std::string text = text_of(there);
  write_text(there, text.substr(0, 105));
  EXPECT_SAYS(refusal("a", 4), "train_input.data_dir was " + there + " (2000 tokens, checksum ");
  context_.allow_other_bits = true;
  const std::string out = run("a", 4);
  EXPECT_SAYS(out, "note    train_input.data_dir was " + there + " (2000 tokens, checksum ");
  EXPECT_SAYS(out, ") and is " + there + " (105 tokens, checksum ");
  EXPECT_SAYS(out, ") now; the run continues at data position 18: place 5 of 13 in epoch 1\n");
  EXPECT_EQ(run("a", 5).find("note "), std::string::npos) << "printed once";
  write_text(there, text.substr(0, 104) + text.substr(1, 1));
  EXPECT_SAYS(run("a", 6), "note    train_input.data_dir was ") << "as many tokens, but others";
}

}  // namespace
}  // namespace weft::checkpoint
