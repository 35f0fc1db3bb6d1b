/// Training runs in one process: functional-model wafers, a model of one layer.
#pragma once

#include <gtest/gtest.h>

#include <sstream>

#include "host/checkpoint/error.hpp"
#include "host/train/train.hpp"
#include "tests/checkpoint/run_folder.hpp"
#include "tests/says.hpp"

namespace weft::checkpoint {

using Names = std::vector<std::string>;

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

  /// Runs `weft run` up to `steps` steps in the folder `name` and returns its output.
  std::string run(const std::string& name, int steps) {
    config_.runconfig.model_dir = folder_ / name;
    config_.runconfig.max_steps = steps;
    std::ostringstream out;
    EXPECT_EQ(train::train(
                  config_, [&](int) { return make_model_wafer(config_.wafer); }, out, context_),
              0);
    return out.str();
  }
  std::string refusal(const std::string& name, int steps) {
    try {
      return "accepted: " + run(name, steps);
    } catch (const Refusal& e) {
      return e.what();
    }
  }

  /// Step numbers of the checkpoints in `name`, in order of file name.
  Names saved(const std::string& name) const {
    Names result;
    for (const std::string& file : folder_.names(name)) {
      if (file.starts_with("checkpoint_")) result.push_back(file.substr(11, file.find('.') - 11));
    }
    return result;
  }
  std::string file(const std::string& name, int step) const { return checkpoint_file(folder_ / name, step); }
  std::string metrics(const std::string& name) const {
    return metrics_without(folder_ / name, {"seconds", "run", "crc32c"});
  }
  void expect_same_run(const std::string& a, const std::string& b, int steps) {
    EXPECT_TRUE(text_of(file(a, steps)) == text_of(file(b, steps))) << "step " << steps;
    EXPECT_EQ(metrics(a), metrics(b));
    EXPECT_EQ(folder_.names(b).front(), ".lock");
  }
  void damage(const std::string& path) {
    std::string text = text_of(path);
    text[text.size() / 2] ^= 4;
    write_text(path, text);
  }

  TestFolder folder_{"train_test"};
  config::Config config_;
  ranks::RunContext context_;
};

}  // namespace weft::checkpoint
