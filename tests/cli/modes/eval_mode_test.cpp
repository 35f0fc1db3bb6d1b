/// Evaluation of a trained model: --mode eval and train_and_eval.
#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/cli/modes/modes.hpp"

namespace weft::cli {
namespace {

TEST_F(Modes, TrainAndEvalEndsWithTheLossThatEvalFinds) {
  const ProgramResult trained = run("train_and_eval", {"--runconfig.eval_frequency", "2"});
  ASSERT_EQ(trained.status, 0) << trained.err;
  std::istringstream lines(test::file_text(folder_ / "out/metrics.jsonl"));
  std::vector<bool> evaluated;
  double last = 0;
  for (std::string line; std::getline(lines, line);) {
    evaluated.push_back(line.find("eval_loss") != std::string::npos);
    if (evaluated.back()) last = number(line, "\"eval_loss\": ");
  }
  EXPECT_EQ(evaluated, (std::vector<bool>{false, true, true}));
  const std::string line = last_line(run("eval"));
  EXPECT_NEAR(number(line, "loss "), last, 6e-6);
  EXPECT_NEAR(number(line, "perplexity "), std::exp(last), 1e-3);
  EXPECT_EQ(number(line, "over "), 56) << "each whole sample once";

  const ProgramResult object = run("eval", {"--json"});
  const nlohmann::json result = nlohmann::json::parse(object.out);  // nothing else is printed
  EXPECT_EQ(result.at("step"), 3);
  EXPECT_EQ(result.at("eval_loss"), last) << "as metrics.jsonl has it";
  EXPECT_EQ(result.at("perplexity"), std::exp(last));
  EXPECT_EQ(result.at("tokens"), 56);
  EXPECT_NE(object.err.find("eval    "), std::string::npos) << object.err;
  EXPECT_FALSE(
      nlohmann::json::parse(run("eval", {"--json", "--model.label_smoothing", "0.1"}).out).contains("perplexity"));
}

TEST_F(Modes, ShardsOfTheSameTokensTrainAsTheTextDoes) {
  const std::string text = test::file_text(folder_ / "corpus.txt");
  std::vector<std::uint16_t> first, second;
  for (std::size_t i = 0; i < text.size(); ++i) (i < 777 ? first : second).push_back(text[i]);
  folder_.write("shards/b_000001.bin", test::shard_bytes(first));
  folder_.write("shards/b_000002.bin", test::shard_bytes(second));
  const auto state = [&](const std::string& folder, std::vector<std::string> more) {
    more.insert(more.end(), {"--model_dir", folder, "--model.vocab_size", "256"});
    const ProgramResult result = run("train", more);
    EXPECT_EQ(result.status, 0) << result.err;
    const std::size_t at = result.out.rfind("state ");
    return result.out.substr(at, result.out.find(',', at) - at);
  };
  const std::string of_text = state("t", {"--train_input.tokenizer", "byte"});
  EXPECT_EQ(of_text.size(), 22U) << of_text;
  EXPECT_EQ(state("s", {"--train_input.data_dir", "shards"}), of_text);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "s/vocab.json"));
  EXPECT_EQ(test::file_text(folder_ / "t/vocab.json").rfind("{\"tokenizer\":\"byte\",\"run\":\"", 0), 0U);
}

TEST_F(Modes, AnEvaluationIsTheSameForEveryCutIntoMicroBatches) {
  ASSERT_EQ(run("train").status, 0);
  const auto before = test::file_text(folder_ / "out/checkpoint_3.safetensors");
  const std::string line = last_line(run("eval"));
  EXPECT_NE(line.find("step 3: loss "), std::string::npos) << line;
  for (const char* micro_batch : {"1", "2", "4"}) {
    for (const char* wafers : {"1", "3"}) {
      EXPECT_EQ(last_line(run("eval", {"--train_input.micro_batch_size", micro_batch, "--num_csx", wafers})), line);
    }
  }
  EXPECT_EQ(last_line(run("eval", {"--backend", "rtl"})), line);
  EXPECT_EQ(test::file_text(folder_ / "out/checkpoint_3.safetensors"), before);
}

TEST_F(Modes, EvalStepsAreBatchesOfTheFirstSamples) {
  ASSERT_EQ(run("train").status, 0);
  const auto tokens = [&](const char* steps) {
    return number(last_line(run("eval", {"--eval_input.batch_size", "3", "--runconfig.eval_steps", steps})), "over ");
  };
  EXPECT_EQ(tokens("1"), 3 * 8);
  EXPECT_EQ(tokens("2"), 6 * 8);
  EXPECT_EQ(tokens("3"), 7 * 8);
}

TEST_F(Modes, EvalNeedsTheCheckpointAndItsVocabularyAlone) {
  ASSERT_EQ(run("train").status, 0);
  const std::string line = last_line(run("eval"));
  std::filesystem::rename(folder_ / "out", folder_ / "kept");
  std::filesystem::remove(folder_ / "corpus.txt");
  EXPECT_EQ(last_line(run("eval", {"--model_dir", "kept"})), line);
  EXPECT_EQ(last_line(run("eval", {"--checkpoint_path", "kept/checkpoint_3.safetensors"})), line);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out"));
  folder_.write("eval.txt", "abe ");
  const ProgramResult foreign = run("eval", {"--model_dir", "kept"});
  EXPECT_EQ(foreign.status, 2);
  EXPECT_NE(foreign.err.find("eval.txt: character ' ' (U+0020) at offset 3 is not in the vocabulary"),
            std::string::npos)
      << foreign.err;
}

}  // namespace
}  // namespace weft::cli
