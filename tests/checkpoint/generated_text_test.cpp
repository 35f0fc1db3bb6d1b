/// A run writes texts of its model to TensorBoard's files, and trains the same bits with and without them.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/checkpoint/train_run.hpp"

namespace weft::checkpoint {
namespace {

class GeneratedText : public TrainTest {
 protected:
  /// The bytes of all of the run's files for TensorBoard.
  std::string events(const std::string& name) const {
    std::string bytes;
    for (const char* part : {"train", "eval"})
      if (const auto folder = std::filesystem::path(folder_ / name) / part; std::filesystem::exists(folder))
        for (const auto& entry : std::filesystem::directory_iterator(folder))
          if (entry.path().filename().string().starts_with("events.")) bytes += text_of(entry.path().string());
    return bytes;
  }
  /// Generated texts in the event files of the run `name`, as Markdown code, each with the bytes that follow it there.
  Names texts(const std::string& name) const {
    constexpr std::string_view kTag = "/generated";
    const std::string bytes = events(name);
    Names found;
    for (std::size_t at = bytes.find(kTag); at != std::string::npos; at = bytes.find(kTag, at + 1))
      found.push_back(bytes.substr(bytes.find("    ", at)));
    return found;
  }
  /// `length` characters of the corpus.
  std::string corpus(std::size_t length) const { return text_of(folder_ / "corpus.txt").substr(0, length); }
};

TEST_F(GeneratedText, FollowsEachEvaluationAndChangesNoBit) {
  config_.eval_input.data_dir = folder_ / "corpus.txt";
  config_.runconfig.eval_frequency = 2;
  run("with", 5);
  const Names found = texts("with");
  ASSERT_EQ(found.size(), 2U) << "after steps 2 and 4";
  for (const std::string& text : found) {  // half of a sequence is given, the other half is generated
    EXPECT_TRUE(text.starts_with("    " + corpus(4)));
    for (const char c : text.substr(8, 4)) EXPECT_TRUE(c >= 'a' && c <= 'm') << text.substr(0, 20);
  }
  config_.runconfig.save_summary_steps = 0;
  run("without", 5);
  EXPECT_EQ(events("without"), "");
  expect_same_run("with", "without", 5);
}

TEST_F(GeneratedText, FollowsTheLastStepOfARunWithoutEvaluations) {
  run("alone", 3);
  EXPECT_EQ(texts("alone").size(), 1U);
  config_.runconfig.checkpoint_steps = 2;
  run("saved", 5);
  EXPECT_EQ(texts("saved").size(), 3U) << "after steps 2, 4 and 5";
}

}  // namespace
}  // namespace weft::checkpoint
