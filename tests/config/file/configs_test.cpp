/// The configurations included in the repository.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <sstream>
#include <vector>

#include "host/checkpoint/file.hpp"
#include "host/config/file/load.hpp"
#include "host/data/corpus.hpp"
#include "host/data/load_data.hpp"
#include "tests/temporary_folder.hpp"

namespace weft::config {
namespace {

std::string config_file(const std::string& name) { return std::string(WEFT_CONFIGS) + "/" + name; }

TEST(Configs, LoadWithTheirCorpus) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(WEFT_CONFIGS)) {
    if (entry.path().extension() != ".yaml") continue;
    const Config config = load_config(entry.path().string());
    const auto seq = static_cast<std::size_t>(config.model.seq);
    EXPECT_GT(data::load_training_data(config).samples() * seq, 200'000U) << entry.path();
    ++files;
  }
  EXPECT_GE(files, 2);
}

TEST(Configs, TheCorpusIsPlainAscii) {
  for (unsigned char c : checkpoint::read_text(config_file("corpus.txt")))
    ASSERT_TRUE(c == '\n' || (c >= ' ' && c <= '~')) << c;
}

std::vector<std::string> lines_of(const std::string& name) {
  std::istringstream in(test::file_text(config_file(name)));
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST(Configs, SizesOfGpt3DifferInFourLinesAndTheirBatch) {
  const std::set<std::string> four = {"  filter_size", "  hidden_size", "  num_heads", "  num_hidden_layers"};
  const std::set<std::string> others = {"  batch_size", "      total_iters", "  max_steps"};
  const std::vector<std::string> small = lines_of("params_gpt3_small_pile.yaml");
  for (const std::string size : {"medium", "large", "xl", "2p7b", "6p7b", "13b", "20b", "175b"}) {
    const std::vector<std::string> lines = lines_of("params_gpt3_" + size + "_pile.yaml");
    ASSERT_EQ(lines.size(), small.size());
    std::set<std::string> keys;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const std::string key = lines[i].substr(0, lines[i].find(':'));
      if (lines[i] != small[i] && !others.contains(key)) keys.insert(key);
    }
    EXPECT_EQ(keys, four) << size;
  }
}

/// The paper's tokens: 375 million with a rising learning rate, 260 billion with a falling one, 300 billion in all.
TEST(Configs, SizesOfGpt3TrainOnThePapersTokens) {
  for (const std::string size : {"small", "medium", "large", "xl", "2p7b", "6p7b", "13b", "20b", "175b"}) {
    const Config c = load_config(config_file("params_gpt3_" + size + "_pile.yaml"));
    const double step = static_cast<double>(c.train_input.batch_size) * c.model.seq;
    EXPECT_NEAR(c.optimizer.learning_rate.at(0).total_iters * step, 375e6, step) << size;
    EXPECT_NEAR(c.optimizer.learning_rate.at(1).total_iters * step, 260e9, step) << size;
    EXPECT_NEAR(c.runconfig.max_steps * step, 300e9, step) << size;
  }
}

TEST(Configs, TheOblongOneDividesNothing) {
  const Config c = load_config(config_file("gpt_oblong.yaml"));
  EXPECT_NE(c.wafer.rows, c.wafer.cols);
  EXPECT_NE(c.model.hidden % c.wafer.cols + c.model.filter % c.wafer.cols, 0);
  EXPECT_FALSE(c.model.tied);
  EXPECT_GT(c.micro_batches(), 1);
}

}  // namespace
}  // namespace weft::config
