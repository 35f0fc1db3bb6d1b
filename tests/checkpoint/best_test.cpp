/// runconfig.keep_best: the checkpoint with the lowest eval loss is kept.
#include <nlohmann/json.hpp>

#include "host/checkpoint/reader.hpp"
#include "sw/compiler/model/tensors.hpp"
#include "tests/checkpoint/train_run.hpp"

namespace weft::checkpoint {
namespace {

class Best : public TrainTest {
 protected:
  Best() {
    config_.eval_input = {.data_dir = folder_ / "corpus.txt", .batch_size = 6};
    config_.runconfig.eval_steps = 2;
    config_.runconfig.eval_frequency = 2;
    config_.runconfig.keep_best = true;
    config_.runconfig.checkpoint_steps = 2;
    config_.runconfig.keep_checkpoint_max = 1;
    // The loss falls at first, then a high learning rate makes it rise.
    config_.optimizer.learning_rate = {{.scheduler = "Constant", .learning_rate = 0.005, .total_iters = 4},
                                       {.scheduler = "Constant", .learning_rate = 0.5}};
  }
  std::string best(const std::string& name) const { return folder_ / (name + "/best.safetensors"); }
};

TEST_F(Best, IsTheLowestOfAllEvaluations) {
  run("a", 8);
  std::istringstream lines(text_of(folder_ / "a/metrics.jsonl"));
  nlohmann::json lowest;
  double last = 0;
  for (std::string line; std::getline(lines, line);) {
    const nlohmann::json step = nlohmann::json::parse(line);
    if (!step.contains("eval_loss")) continue;
    last = step.at("eval_loss");
    if (lowest.is_null() || last < lowest.at("eval_loss").get<double>()) lowest = step;
  }
  ASSERT_LT(lowest.at("eval_loss").get<double>(), last);  // or the newest checkpoint would be the best
  const auto kept = open_checkpoint(best("a"), compiler::model_tensors(config_.model));
  EXPECT_EQ(kept->step, lowest.at("step").get<std::uint64_t>());
  EXPECT_EQ(kept->about.at("state_hash"), lowest.at("state_hash").get<std::string>());
  EXPECT_EQ(std::stod(kept->about.at("eval_loss")), lowest.at("eval_loss").get<double>());
}

TEST_F(Best, StaysWhenTheRunContinues) {
  run("a", 6);
  const std::string before = text_of(best("a"));
  run("a", 8);
  EXPECT_TRUE(text_of(best("a")) == before);
  run("b", 8);
  EXPECT_TRUE(text_of(best("b")) == before);
}

}  // namespace
}  // namespace weft::checkpoint
