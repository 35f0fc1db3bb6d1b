/// Training on samples with a loss mask.
#include <cmath>
#include <random>

#include "tests/checkpoint/train_run.hpp"
#include "tests/data/hdf5_file.hpp"

namespace weft::checkpoint {
namespace {

constexpr std::size_t kSeq = 8, kSamples = 249;

class TrainMask : public TrainTest {
 protected:
  /// Writes the corpus' samples; the label of a token counts if `counts(token)`, else it is `other`.
  template <class Counts>
  std::string write(const std::string& name, const Counts& counts, std::int32_t other = -100) {
    const std::string text = text_of(folder_ / "corpus.txt");
    const std::set<char> letters(text.begin(), text.end());
    const auto id = [&](std::size_t at) {
      return static_cast<std::int32_t>(std::distance(letters.begin(), letters.find(text[at])));
    };
    std::vector<std::int32_t> values;
    for (std::size_t at = 0; at < kSeq * kSamples; at += kSeq) {
      for (std::size_t t = 0; t < kSeq; ++t) values.push_back(id(at + t));
      for (std::size_t t = 0; t < kSeq; ++t) values.push_back(counts(at + t) ? 1 : 0);
      for (std::size_t t = 0; t < kSeq; ++t) values.push_back(counts(at + t) ? id(at + t + 1) : other);
    }
    data::write_hdf5(folder_ / name, values, kSeq);
    return folder_ / name;
  }
  std::string state(const std::string& name, int step) {
    const std::string text = text_of(folder_ / (name + "/metrics.jsonl"));
    const std::string key = "\"step\": " + std::to_string(step) + ",";
    const std::size_t line = text.find(key), at = text.find("\"state_hash\": \"", line);
    EXPECT_NE(at, std::string::npos) << text;
    return at == std::string::npos ? "" : text.substr(at + 15, 16);
  }
  static double number(const std::string& text, const std::string& key) {
    const std::size_t at = text.rfind("\"" + key + "\": ");
    EXPECT_NE(at, std::string::npos) << key << " in " << text;
    return at == std::string::npos ? 0 : std::stod(text.substr(at + key.size() + 4));
  }
};

TEST_F(TrainMask, WithoutOneItIsTheTrainingOnTheText) {
  run("text", 3);
  config_.train_input.data_dir = write("all.h5", [](std::size_t) { return true; });
  run("samples", 3);
  EXPECT_EQ(state("samples", 3), state("text", 3));
}

TEST_F(TrainMask, TheRunIsTheSameAtAnySizeAfterAStopAndWithOtherLabels) {
  std::mt19937 random(3);
  std::vector<bool> mask(kSeq * kSamples);
  for (std::size_t at = 0; at < mask.size(); ++at) mask[at] = at % kSeq == 1 || random() % 3 == 0;
  const auto counts = [&](std::size_t at) { return static_cast<bool>(mask[at]); };
  config_.train_input.data_dir = write("a.h5", counts);
  run("whole", 6);
  const double tokens = number(text_of(folder_ / "whole/metrics.jsonl"), "tokens");
  EXPECT_GT(tokens, 0);
  EXPECT_LT(tokens, 6 * 8) << "only those that count";
  config_.runconfig.num_csx = 3;
  run("a", 2);
  config_.runconfig.num_csx = 2;
  run("a", 6);
  expect_same_run("whole", "a", 6);
  config_.train_input.data_dir = write("other.h5", counts, 5);
  run("other", 6);
  EXPECT_EQ(state("other", 6), state("whole", 6));
  config_.train_input.data_dir = write("all.h5", [](std::size_t) { return true; });
  run("all", 6);
  EXPECT_NE(state("all", 6), state("whole", 6));
}

TEST_F(TrainMask, TheLossIsTheMeanOfThoseThatCount) {
  const auto first = [](std::size_t at) { return at % kSeq < 3; };
  config_.train_input.data_dir = write("all.h5", [](std::size_t) { return true; });
  config_.runconfig.eval_frequency = 2;
  const auto loss = [&](const std::string& name, const std::string& data) {
    config_.eval_input.data_dir = data;
    run(name, 2);
    return number(text_of(folder_ / (name + "/metrics.jsonl")), "eval_loss");
  };
  const double all = loss("all", folder_ / "all.h5"), of_first = loss("first", write("first.h5", first)),
               of_rest = loss("rest", write("rest.h5", [&](std::size_t at) { return !first(at); }));
  EXPECT_GT(std::abs(of_first - of_rest), 1e-4);
  EXPECT_NEAR(all, (3 * of_first + 5 * of_rest) / 8, 1e-5);
}

}  // namespace
}  // namespace weft::checkpoint
