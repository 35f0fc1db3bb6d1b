#include "host/appliance/data.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <set>

#include "host/appliance/permutation.hpp"
#include "host/appliance/tokenizer.hpp"

namespace weft {
namespace {

namespace fs = std::filesystem;

std::vector<std::uint16_t> count(int n) {
  std::vector<std::uint16_t> tokens(n);
  std::iota(tokens.begin(), tokens.end(), std::uint16_t{0});
  return tokens;
}

TEST(CharTokenizer, TokensAreTheSortedBytesOfTheCorpus) {
  const CharTokenizer t("banana\n");
  EXPECT_EQ(t.size(), 4);
  EXPECT_EQ(t.encode("nab\n"), (std::vector<std::uint16_t>{3, 1, 2, 0}));
  EXPECT_EQ(t.decode({3, 1, 2, 0}), "nab\n");
  EXPECT_THROW(t.encode("nabu"), std::out_of_range);
  EXPECT_EQ(CharTokenizer("\xff\x01").encode("\xff"), (std::vector<std::uint16_t>{1}));
}

TEST(TrainingData, WithoutShuffleSamplesComeInOrder) {
  const TrainingData data(count(100), {.seq = 4, .batch = 6, .micro_batch = 2});
  EXPECT_EQ(data.samples(), 24U);
  EXPECT_EQ(data.micro_batches(), 3);
  const Batch b = data.micro_batch(1, 2);  // samples 10 and 11
  EXPECT_EQ(b.inputs, (std::vector<std::uint16_t>{40, 41, 42, 43, 44, 45, 46, 47}));
  EXPECT_EQ(b.labels, (std::vector<std::uint16_t>{41, 42, 43, 44, 45, 46, 47, 48}));
}

TEST(TrainingData, WrapsAfterTheLastWholeSample) {
  const TrainingData data(count(12), {.seq = 4, .batch = 3, .micro_batch = 3});  // 2 samples, 3 tokens unused
  EXPECT_EQ(data.samples(), 2U);
  EXPECT_EQ(data.micro_batch(0, 0).inputs, (std::vector<std::uint16_t>{0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3}));
  EXPECT_EQ(data.micro_batch(1, 0).inputs[0], 4);
}

TEST(TrainingData, ExactlyOneSampleNeedsItsLastLabel) {
  EXPECT_EQ(TrainingData(count(5), {.seq = 4}).samples(), 1U);
  EXPECT_THROW(TrainingData(count(4), {.seq = 4}), std::invalid_argument);
  EXPECT_THROW(TrainingData({}, {.seq = 4}), std::invalid_argument);
}

TEST(TrainingData, AShuffledEpochTakesEachSampleOnceInAnOrderOfItsOwn) {
  const TrainingData data(count(1000), {.seq = 3, .shuffle = true, .seed = 7});
  std::vector<std::uint64_t> first, second;
  for (std::uint64_t k = 0; k < data.samples(); ++k) {
    first.push_back(data.sample_at(k));
    second.push_back(data.sample_at(data.samples() + k));
  }
  EXPECT_NE(first, second);
  EXPECT_FALSE(std::is_sorted(first.begin(), first.end()));
  EXPECT_EQ(std::set(first.begin(), first.end()).size(), data.samples());
  EXPECT_EQ(std::set(second.begin(), second.end()).size(), data.samples());
}

TEST(TrainingData, TheOrderDependsOnTheSeedAlone) {
  const SampleShape shape{.seq = 3, .batch = 8, .micro_batch = 4, .shuffle = true, .seed = 7};
  const TrainingData a(count(1000), shape), b(count(1000), shape);
  EXPECT_EQ(a.micro_batch(90, 1).inputs, b.micro_batch(90, 1).inputs);
  SampleShape other = shape;
  other.seed = 8;
  EXPECT_NE(a.micro_batch(0, 0).inputs, TrainingData(count(1000), other).micro_batch(0, 0).inputs);
  SampleShape cut = shape;  // micro-batches of another size: the same samples of a step
  cut.micro_batch = 8;
  std::vector<std::uint16_t> joined = a.micro_batch(5, 0).inputs;
  const auto rest = a.micro_batch(5, 1).inputs;
  joined.insert(joined.end(), rest.begin(), rest.end());
  EXPECT_EQ(joined, TrainingData(count(1000), cut).micro_batch(5, 0).inputs);
}

TEST(Permute, IsAPermutationOfEverySize) {
  for (std::uint64_t size = 1; size < 200; ++size) {
    std::set<std::uint64_t> seen;
    for (std::uint64_t x = 0; x < size; ++x) seen.insert(permute(x, size, size));
    ASSERT_EQ(seen.size(), size);
    ASSERT_LT(*seen.rbegin(), size);
  }
}

class CorpusTest : public testing::Test {
 protected:
  CorpusTest() { fs::create_directories(folder_); }
  ~CorpusTest() override { fs::remove_all(folder_); }
  Config config(int vocab, int seq) {
    Config c;
    c.file = "mine.yaml";
    c.places["model.vocab_size"] = {"mine.yaml", 12};
    c.train_input.data_dir = (folder_ / "a.txt").string();
    c.model.vocab = vocab;
    c.model.seq = seq;
    return c;
  }
  std::string message(const Config& c) {
    try {
      load_training_data(c);
    } catch (const ConfigError& e) {
      std::string text = e.what();
      const std::string path = folder_.string() + "/";
      if (const auto at = text.find(path); at != std::string::npos) text.erase(at, path.size());
      return text;
    }
    return "no error";
  }
  const fs::path folder_ = fs::temp_directory_path() / ("weft_data_test_" + std::to_string(getpid()));
};

TEST_F(CorpusTest, ASmallVocabularyIsRefusedWithTheSizeItNeeds) {
  std::ofstream(folder_ / "a.txt") << "hello world";
  EXPECT_EQ(message(config(8, 4)), "no error");
  EXPECT_EQ(message(config(7, 4)),
            "mine.yaml:12: model.vocab_size: 7 is less than the 8 different characters of a.txt. HINT: use 8 or more.");
  EXPECT_EQ(message(config(8, 11)),
            "mine.yaml: train_input.data_dir: 11 tokens make no sample of 11. HINT: give a longer text or reduce "
            "model.max_sequence_length.");
}

TEST_F(CorpusTest, AMissingCorpusIsNamed) {
  EXPECT_EQ(message(config(8, 4)),
            "mine.yaml: train_input.data_dir: a.txt cannot be read. HINT: give a text file or a folder of *.txt.");
}

TEST_F(CorpusTest, AFolderIsReadInOrderOfName) {
  std::ofstream(folder_ / "b.txt") << "second";
  std::ofstream(folder_ / "a.txt") << "first ";
  std::ofstream(folder_ / "0.md") << "not this";
  EXPECT_EQ(read_corpus(folder_.string()), "first second");
}

}  // namespace
}  // namespace weft
