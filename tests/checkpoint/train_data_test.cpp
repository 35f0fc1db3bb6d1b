/// The samples that a step takes from several data sets depend on the step only, for any number of wafers and after any
/// stop.
#include "tests/checkpoint/train_run.hpp"

namespace weft::checkpoint {
namespace {

TEST_F(TrainTest, ARunOnSeveralWeightedDataSetsIsTheSameAtAnySizeAndAfterAStop) {
  std::string other = text_of(folder_ / "corpus.txt");
  std::ranges::reverse(other);
  write_text(folder_ / "other.txt", other);
  run("plain", 6);
  config_.train_input.more_data_dirs = {folder_ / "other.txt"};
  config_.train_input.weights = {1, 2.5};
  run("whole", 6);
  config_.runconfig.num_csx = 3;
  run("a", 2);
  config_.runconfig.num_csx = 2;
  EXPECT_EQ(run("a", 6).find("note "), std::string::npos);
  expect_same_run("whole", "a", 6);
  EXPECT_FALSE(text_of(file("plain", 6)) == text_of(file("a", 6)));
}

/// Lines of the corpus as documents.
TEST_F(TrainTest, ARunOnPaddedDocumentsIsTheSameAtAnySizeAndAfterAStop) {
  const std::string text = text_of(folder_ / "corpus.txt");
  std::string lines;
  for (std::size_t at = 0, size = 1; at < text.size(); at += size, size = size * 5 % 23 + 1)
    lines += "{\"text\": \"" + text.substr(at, size) + "\"}\n";
  write_text(folder_ / "documents.jsonl", lines);
  config_.train_input.data_dir = folder_ / "documents.jsonl";
  run("joined", 6);
  config_.train_input.pad_documents = true;
  run("whole", 6);
  config_.runconfig.num_csx = 3;
  run("a", 2);
  config_.runconfig.num_csx = 2;
  EXPECT_EQ(run("a", 6).find("note "), std::string::npos);
  expect_same_run("whole", "a", 6);
  EXPECT_FALSE(text_of(file("joined", 6)) == text_of(file("a", 6)));
  config_.train_input.pad_documents = false;
  EXPECT_SAYS(refusal("a", 7), "train_input.pad_documents was true and is false now");
}

TEST_F(TrainTest, OtherWeightsAreRejectedAndNamed) {
  config_.train_input.more_data_dirs = {folder_ / "corpus.txt"};
  run("a", 2);
  config_.train_input.weights = {3, 1};
  const std::string change = "train_input.weights was 5000:5000 and is 7500:2500 now";
  EXPECT_SAYS(refusal("a", 3), change + ". HINT: ");
  context_.allow_other_bits = true;
  EXPECT_SAYS(run("a", 3), "note    " + change + "; the run continues at data position 12\n");
}

}  // namespace
}  // namespace weft::checkpoint
