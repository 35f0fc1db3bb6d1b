/// Parameter files with one section `trainer`, as of the Model Zoo since its class Trainer.
#include "host/config/file/trainer_section.hpp"

#include <gtest/gtest.h>

#include <regex>

#include "host/config/file/load.hpp"
#include "host/config/file/model_zoo_values.hpp"
#include "tests/says.hpp"

namespace weft::config {
namespace {

constexpr const char* kTrainer = R"(trainer:
  init:
    backend:
      backend_type: CSX
      cluster_config:
        num_csx: 2
    seed: 7
    model_dir: ./out
    model:
      name: gpt2
      vocab_size: 96
      hidden_size: 64
      num_hidden_layers: 2
      num_heads: 4
      max_position_embeddings: 16
      dropout_rate: 0.0
    optimizer:
      AdamW:
        betas: [0.9, 0.95]
        weight_decay: 0.1
        correct_bias: true
    schedulers:
    - SequentialLR:
        schedulers:
        - LinearLR:
            initial_learning_rate: 0.0
            end_learning_rate: 0.0006
            total_iters: 7
        - CosineDecayLR:
            initial_learning_rate: 0.0006
            end_learning_rate: 6.0e-05
            total_iters: 40
    precision:
      enabled: true
      fp16_type: bfloat16
      loss_scaling_factor: dynamic
      max_gradient_norm: 1.5
      log_loss_scale: true
    loop:
      max_steps: 47
      eval_frequency: 9
      eval_steps: 3
    checkpoint:
      steps: 11
      save_initial_checkpoint: false
    logging:
      log_steps: 5
    callbacks:
    - ComputeNorm: {}
    loggers:
    - ProgressLogger: {}
  fit:
    train_dataloader:
      data_processor: GptHDF5MapDataProcessor
      data_dir:
      - ./train/0
      - ./train/1
      batch_size: 12
      micro_batch_size: 4
      shuffle_seed: 3
      num_workers: 1
    val_dataloader: &val
      data_dir: ./val
      batch_size: 4
  validate:
    val_dataloader: *val
  validate_all:
    val_dataloaders: *val
wafer:
  rows: 2
)";

Config parsed_trainer(const std::string& text) { return parse_config(text, "mine.yaml", {}); }

/// kTrainer with each `from` replaced; the error without the file's name.
std::string refused_trainer(const std::string& from, const std::string& to) {
  std::string text = kTrainer;
  text.replace(text.find(from), from.size(), to);
  try {
    parsed_trainer(text);
  } catch (const Refusal& e) {
    return e.what();
  }
  return "nothing refused";
}

TEST(TrainerSection, EachPartIsAKey) {
  const Config config = parsed_trainer(kTrainer);
  EXPECT_EQ(config.runconfig.num_csx, 2);
  EXPECT_EQ(config.runconfig.seed, 7);
  EXPECT_EQ(config.model.hidden, 64);
  EXPECT_EQ(config.model.seq, 16);
  EXPECT_EQ(config.optimizer.optimizer_type, "AdamW");
  EXPECT_EQ(config.optimizer.betas, (std::vector<double>{0.9, 0.95}));
  ASSERT_EQ(config.optimizer.learning_rate.size(), 2U);
  EXPECT_EQ(config.optimizer.learning_rate[0].scheduler, "Linear");
  EXPECT_EQ(config.optimizer.learning_rate[1].scheduler, "CosineDecay");
  EXPECT_EQ(config.optimizer.learning_rate[1].total_iters, 40);
  EXPECT_EQ(config.optimizer.max_gradient_norm, 1.5F);
  EXPECT_EQ(config.runconfig.max_steps, 47);
  EXPECT_EQ(config.runconfig.eval_frequency, 9);
  EXPECT_EQ(config.runconfig.checkpoint_steps, 11);
  EXPECT_EQ(config.runconfig.log_steps, 5);
  EXPECT_EQ(config.train_input.data_dir, "train/0\ntrain/1");
  EXPECT_EQ(config.train_input.batch_size, 12);
  EXPECT_EQ(config.train_input.seed, 3);
  EXPECT_EQ(config.eval_input.data_dir, "val");
  EXPECT_EQ(config.wafer.rows, 2);
  EXPECT_EQ(config.place("runconfig.max_steps").line, 40);
  ASSERT_EQ(notes_on_names(config).size(), 1u);
  EXPECT_SAYS(notes_on_names(config)[0], "trainer.init.callbacks, trainer.init.loggers");
}

/// Each part changes something, or is refused.
TEST(TrainerSection, APartThatIsWrongIsNamed) {
  EXPECT_SAYS(refused_trainer("max_steps: 47", "max_steps: 4x"), "mine.yaml:40: runconfig.max_steps: \"4x\"");
  EXPECT_SAYS(refused_trainer("ComputeNorm", "WeightCompression"),
              "mine.yaml:49: trainer.init.callbacks: WeightCompression is code of the Model Zoo. HINT: leave it out.");
  EXPECT_SAYS(refused_trainer("    seed: 7", "    sed: 7"),
              "mine.yaml:7: trainer.init.sed: is no part that a run here has. HINT: leave it out.");
  EXPECT_SAYS(refused_trainer("backend_type: CSX", "backend_type: GPU"), "runconfig.target_device: only the Model Zoo");
  EXPECT_SAYS(refused_trainer("      AdamW:", "      Rprop:"), "optimizer.optimizer_type: \"Rprop\" is not known");
  EXPECT_SAYS(refused_trainer("CosineDecayLR", "ChirpLR"), "\"Chirp\" is not known");
  EXPECT_SAYS(refused_trainer("    val_dataloader: *val\n  validate_all:",
                              "    val_dataloader:\n      data_dir: x\n  validate_all:"),
              "trainer.validate: has other data than trainer.fit.val_dataloader");
  EXPECT_SAYS(refused_trainer("    schedulers:\n    - Seq", "    schedulers:\n    - LinearLR: {}\n    - Seq"),
              "trainer.init.schedulers: has 2 schedulers");
  EXPECT_SAYS(refused_trainer("wafer:\n", "runconfig:\n  seed: 3\nwafer:\n"), "sets runconfig.seed, which mine.yaml:7");
  const std::string both = refused_trainer("    seed: 7\n    model_dir: ./out\n", "    sed: 7\n    model_dr: ./out\n");
  EXPECT_SAYS(both, "trainer.init.sed: is no part");
  EXPECT_SAYS(both, "trainer.init.model_dr: is no part");
}

TEST(TrainerSection, ASchedulerMayStandAlone) {
  std::string text =
      std::regex_replace(std::string(kTrainer), std::regex("    schedulers:\n    - Seq(.|\n)*    precision:"),
                         "    schedulers:\n    - ConstantLR:\n        learning_rate: 0.5\n    precision:");
  const Config config = parsed_trainer(text);
  ASSERT_EQ(config.optimizer.learning_rate.size(), 1U);
  EXPECT_EQ(config.optimizer.learning_rate[0].scheduler, "Constant");
}

}  // namespace
}  // namespace weft::config
