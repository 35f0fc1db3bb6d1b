/// An optimizer that consists of two files (tests/memoryx/rules) and an entry in the table trains, is saved and
/// resumes.
#include <gtest/gtest.h>

#include "host/checkpoint/reader.hpp"
#include "host/config/config.hpp"
#include "host/config/file/load.hpp"
#include "host/swarmx/memory/shard_assignment.hpp"
#include "sw/compiler/model/tensors.hpp"
#include "tests/checkpoint/train_run.hpp"
#include "tests/small_run.hpp"

namespace weft::train {
namespace {

class AnotherRule : public checkpoint::TrainTest {};

TEST_F(AnotherRule, TrainsIsSavedAndContinues) {
  config_.optimizer.optimizer_type = "SignSGD";
  run("cut", 3);
  const auto file = checkpoint::open_checkpoint(this->file("cut", 3), compiler::model_tensors(config_.model));
  EXPECT_EQ(file->moments, 0);
  EXPECT_EQ(file->about.at("optimizer.optimizer_type"), "SignSGD");
  EXPECT_EQ(file->about.count("optimizer.betas"), 0U);
  run("cut", 6);
  run("whole", 6);
  expect_same_run("cut", "whole", 6);
  config_.optimizer.optimizer_type = "AdamW";
  EXPECT_SAYS(refusal("cut", 8), "has the state of SignSGD");
}

TEST_F(AnotherRule, IsAKeysChoiceWithDefaultsOfItsOwn) {
  const std::string text =
      std::string(test::kSmallParams) + "optimizer: {optimizer_type: SignSGD}\nrunconfig: {max_steps: 1}\n";
  const config::Config config = config::parse_config(text, folder_ / "params.yaml");
  EXPECT_EQ(config.optimizer.betas, (std::vector<double>{0.5, 0.75}));
  try {
    config::parse_config(text, folder_ / "params.yaml", {{"optimizer.momentum", "0.9"}});
    FAIL() << "accepted";
  } catch (const std::exception& e) {
    EXPECT_SAYS(e.what(), "optimizer.momentum");
    EXPECT_SAYS(e.what(), "does not apply to optimizer.optimizer_type SignSGD");
  }
}

TEST_F(AnotherRule, IsSentToOtherRanks) {
  const swarmx::PartOptions part{.shards = {0, 1}, .optimizer = {.rule = "SignSGD"}, .no_decay = {"a"}};
  EXPECT_EQ(swarmx::decode_part(swarmx::encode_part(part)).optimizer.rule, "SignSGD");
}

}  // namespace
}  // namespace weft::train
