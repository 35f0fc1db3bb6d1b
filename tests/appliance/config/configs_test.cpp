/// The configurations that come with the repository.
#include <gtest/gtest.h>

#include <filesystem>

#include "host/appliance/data/corpus.hpp"
#include "host/appliance/data/load_data.hpp"

namespace weft {
namespace {

std::string config_file(const std::string& name) { return std::string(WEFT_CONFIGS) + "/" + name; }

TEST(Configs, LoadWithTheirCorpus) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(WEFT_CONFIGS)) {
    if (entry.path().extension() != ".yaml") continue;
    const Config config = load_config(entry.path().string());
    const auto seq = static_cast<std::size_t>(config.model.seq);
    EXPECT_GT(load_training_data(config).samples() * seq, 200'000U) << entry.path();
    ++files;
  }
  EXPECT_GE(files, 2);
}

TEST(Configs, TheCorpusIsPlainAscii) {
  for (unsigned char c : read_text(config_file("corpus.txt"))) ASSERT_TRUE(c == '\n' || (c >= ' ' && c <= '~')) << c;
}

TEST(Configs, TheOblongOneDividesNothing) {
  const Config c = load_config(config_file("gpt_oblong.yaml"));
  EXPECT_NE(c.wafer.rows, c.wafer.cols);
  EXPECT_NE(c.model.hidden % c.wafer.cols + c.model.filter % c.wafer.cols, 0);
  EXPECT_FALSE(c.model.tied);
  EXPECT_GT(c.micro_batches(), 1);
}

}  // namespace
}  // namespace weft
