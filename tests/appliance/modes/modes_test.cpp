/// The modes of `weft run`, through the program.
#include <sys/resource.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/appliance/program.hpp"

namespace weft {
namespace {

class Modes : public testing::Test {
 protected:
  Modes() {
    write_small_run(folder_);
    folder_.write("eval.txt", file_text(folder_ / "corpus.txt").substr(100, 60));  // 7 samples of 8, and a rest
  }

  ProgramResult run(const std::string& mode, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"run", "--params", "mine.yaml", "--model_dir", "out", "--eval_input.data_dir",
                               "eval.txt", "--mode", mode});
    return run_program(folder_, more);
  }
  std::string last_line(const ProgramResult& result) {
    EXPECT_EQ(result.status, 0) << result.err;
    const std::size_t end = result.out.find_last_not_of('\n');
    return result.out.substr(result.out.rfind('\n', end) + 1, end - result.out.rfind('\n', end));
  }
  /// The number behind `word`.
  static double number(const std::string& text, const std::string& word) {
    const std::size_t at = text.rfind(word);
    if (at == std::string::npos) ADD_FAILURE() << "no " << word << " in " << text;
    return at == std::string::npos ? 0 : std::stod(text.substr(at + word.size()));
  }

  const TemporaryFolder folder_;
};

TEST_F(Modes, ValidateOnlyCountsAndTouchesNothing) {
  const ProgramResult result = run("validate_only");
  EXPECT_EQ(result.status, 0) << result.err;
  for (const char* line : {"vocabulary  7 characters, vocab_size 14\n", "corpus.txt: 2000 tokens, 249 samples of 8\n",
                           "eval.txt: 60 tokens, 7 samples of 8\n", "3 of 4 sequences, 0.04819 epochs\n",
                           "runconfig.mode ", "\nconfiguration and data are valid\n"}) {
    EXPECT_NE(result.out.find(line), std::string::npos) << line << result.out;
  }
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out"));
  folder_.write("eval.txt", "abcz");
  const ProgramResult bad = run("validate_only");
  EXPECT_EQ(bad.status, 2);
  EXPECT_EQ(bad.err,
            "command line: eval_input.data_dir: eval.txt: character 'c' (U+0063) at offset 2 is not in the vocabulary. "
            "HINT: use only characters of the training text, or train with tokenizer: byte.\n");
}

TEST_F(Modes, ValvesOfAutoAreANumberBeforeAnythingRuns) {
  edit_run(folder_, "  cols: 2\n", "  cols: 2\n  valves: auto\n");
  const ProgramResult result = run("train");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_NE(result.out.find(" 48 KiB, 1 valve)"), std::string::npos) << result.out;
  EXPECT_NE(file_text(folder_ / "out/train/params.yaml").find("  valves: 1\n"), std::string::npos);
  EXPECT_EQ(run("compile_only").status, 0);
  EXPECT_EQ(run_program(folder_, {"check", "--params", "mine.yaml"}).status, 0);
}

TEST_F(Modes, CompileOnlyShowsThePlanAndNeedsNoData) {
  std::filesystem::remove(folder_ / "corpus.txt");
  const ProgramResult result = run("compile_only", {"--num_csx", "2"});
  EXPECT_EQ(result.status, 0) << result.err;
  for (const char* text : {"  total per PE ", "\n  h.*.mlp.c_fc ", "\n  d.wte.weight.head ", "\n  total ",
                           "a step: 2 micro-batches on 2 wafers, 1 round, "}) {
    EXPECT_NE(result.out.find(text), std::string::npos) << text << result.out;
  }
  EXPECT_EQ(result.out.find(" steps/s "), std::string::npos) << "nothing is measured: " << result.out;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out"));
  const ProgramResult one = run("compile_only", {"--train_input.micro_batch_size", "4"});
  EXPECT_NE(one.out.find("a step: 1 micro-batch on 1 wafer, 1 round, "), std::string::npos) << one.out;
  const ProgramResult unfit = run("compile_only", {"--model.hidden_size", "8000"});
  EXPECT_EQ(unfit.status, 2);
  EXPECT_EQ(unfit.error_lines(), 1) << unfit.err;
  EXPECT_NE(unfit.err.find("deltas"), std::string::npos) << "bytes by use: " << unfit.err;
}

TEST_F(Modes, CompileOnlyMeasuresStepsIfItIsTold) {
  const ProgramResult result = run("compile_only", {"--measure"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_GT(number(result.out, "\n  model "), 0);
  EXPECT_GT(number(result.out, "\n  rtl "), 0);
  EXPECT_NE(result.out.find(" steps/s expected, of whole steps with tree and optimizer\n"), std::string::npos);
  EXPECT_EQ(run("train", {"--measure"}).status, 2);
}

/// Of 4 bytes a message and a word, by the table's sums.
TEST_F(Modes, CompileOnlySaysWhatMemoryXHoldsAndPassesOn) {
  const std::string out = run("compile_only", {}).out;
  EXPECT_NE(out.find("MemoryX: 792 parameters, 20 bytes each: "), std::string::npos) << out;
  EXPECT_NE(out.find("; 15.84 kB in all\n"), std::string::npos) << out;
  const nlohmann::json total = nlohmann::json::parse(last_line(run("compile_only", {"--json"})));
  const double sent = 4 * total.at("messages").get<double>() / 1000,
               back = 4 * total.at("returned").get<double>() / 1000;
  EXPECT_NEAR(number(out, "a micro-batch: "), sent, sent / 1000);
  EXPECT_NEAR(number(out, " of it weights; "), back, back / 1000);
  const double seconds = total.at("cycles").get<double>() / 50e6;
  EXPECT_NEAR(number(out, "at 50 MHz "), seconds, seconds / 1000);
  EXPECT_NEAR(number(out, " s; "), sent / seconds / 1000, sent / seconds / 1e6) << "MB/s";
  const std::string fast = run("compile_only", {"--clock", "500"}).out;
  EXPECT_NEAR(number(fast, "at 500 MHz "), seconds / 10, seconds / 10000);
  EXPECT_EQ(run("compile_only", {"--clock", "0"}).status, 2);
  const std::string early = run("compile_only", {"--memoryx.early", "true", "--train_input.micro_batch_size", "4"}).out;
  EXPECT_NE(early.find("792 parameters, 12 bytes each: "), std::string::npos) << early;
}

/// 310 million parameters on 128 x 128 tiles, whose functional model has 2 GiB of SRAM alone.
/// Sizes of the GPT-3 paper (Brown et al. 2020) on 850 x 1000 tiles: neither tiles nor parameters are counted out.
class WideModes : public Modes {
 protected:
  void compiles(int layers, int hidden, int heads, const std::string& recompute, const std::string& parameters) {
    const ProgramResult result = run("compile_only", {"--wafer.rows",
                                                      "850",
                                                      "--wafer.cols",
                                                      "1000",
                                                      "--wafer.sram_kib",
                                                      "96",
                                                      "--model.vocab_size",
                                                      "50257",
                                                      "--model.max_sequence_length",
                                                      "2048",
                                                      "--model.num_hidden_layers",
                                                      std::to_string(layers),
                                                      "--model.hidden_size",
                                                      std::to_string(hidden),
                                                      "--model.filter_size",
                                                      std::to_string(4 * hidden),
                                                      "--model.num_heads",
                                                      std::to_string(heads),
                                                      "--model.recompute",
                                                      recompute,
                                                      "--train_input.micro_batch_size",
                                                      "1",
                                                      "--train_input.batch_size",
                                                      "1"});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_NE(result.out.find("MemoryX: " + parameters + " parameters"), std::string::npos) << result.out;
    rusage used{};
    ASSERT_EQ(::getrusage(RUSAGE_CHILDREN, &used), 0);
    EXPECT_LT(used.ru_maxrss, 256 * 1024) << "KiB";
  }
};

TEST_F(WideModes, CompileOnlyOfThirteenBillionParametersTakesLittleMemory) {
  compiles(40, 5120, 40, "none", "12853386240");
}

TEST_F(WideModes, CompileOnlyOf175BillionParametersTakesLittleMemory) {
  compiles(96, 12288, 96, "block", "174604259328");
}

TEST_F(Modes, APlanIsKeptAndRun) {
  const auto hashes = [&](const ProgramResult& result) {
    EXPECT_EQ(result.status, 0) << result.err;
    std::vector<std::string> all;
    std::istringstream lines(file_text(folder_ / "out/metrics.jsonl"));
    for (std::string line; std::getline(lines, line);)
      if (const auto step = nlohmann::json::parse(line); step.contains("state_hash")) all.push_back(step["state_hash"]);
    std::filesystem::remove_all(folder_ / "out");
    return all;
  };
  const ProgramResult compiled = run("compile_only", {"--save", "mine.weftplan"});
  ASSERT_EQ(compiled.status, 0) << compiled.err;
  const std::string digest = compiled.out.substr(compiled.out.rfind(", digest ") + 9, 16);
  EXPECT_NE(compiled.out.find("\nplan    mine.weftplan: "), std::string::npos) << compiled.out;
  const auto expected = hashes(run("train"));
  EXPECT_EQ(expected.size(), 3U);
  const ProgramResult ran = run("train", {"--plan", "mine.weftplan", "--num_csx", "2"});
  EXPECT_NE(ran.out.find("plan    mine.weftplan: digest " + digest), std::string::npos) << ran.out;
  EXPECT_EQ(hashes(ran), expected);
  const auto refused = [&](std::vector<std::string> more, const std::string& error) {
    more.insert(more.end(), {"--plan", "mine.weftplan"});
    const ProgramResult result = run("train", more);
    EXPECT_EQ(result.status, 2);
    EXPECT_NE(result.err.find(error), std::string::npos) << result.err;
    EXPECT_FALSE(std::filesystem::exists(folder_ / "out"));
  };
  refused({"--wafer.rows", "3"},
          "wafer.rows: 3, but mine.weftplan was compiled for 2. HINT: write 2, or compile again");
  refused({"--model.recompute", "block"}, "model.recompute: block, but mine.weftplan was compiled for none.");
  refused({"--sparsity.sparsity", "0.5"}, "sparsity: keeps other weights than mine.weftplan was compiled for.");
  std::string bytes = file_text(folder_ / "mine.weftplan");
  bytes[bytes.size() / 2] ^= 1;
  folder_.write("mine.weftplan", bytes);
  refused({}, "mine.weftplan: is damaged: its digest is another. HINT: compile it again: --mode compile_only --save");
  refused({"--save", "x"}, "--save: means nothing to mode train");
}

/// Boards' routers do not turn W around, so what is compiled for them does not; the bits are the same.
TEST_F(Modes, APlanForSimulatedWafersIsNoneForBoards) {
  const auto wide = [&](const std::string& mode, std::vector<std::string> more) {
    more.insert(more.end(),
                {"--wafer.cols", "6", "--train_input.micro_batch_size", "6", "--train_input.batch_size", "6"});
    return run(mode, more);
  };
  ASSERT_EQ(wide("compile_only", {"--save", "turns.weftplan"}).status, 0);
  ASSERT_EQ(wide("compile_only", {"--save", "boards.weftplan", "--backend", "fpga"}).status, 0);
  const ProgramResult refused = wide("compile_only", {"--plan", "turns.weftplan", "--backend", "fpga"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.err.find("wafer.backend: fpga, but in turns.weftplan W turns around"), std::string::npos)
      << refused.err;
  EXPECT_EQ(wide("compile_only", {"--plan", "boards.weftplan", "--backend", "fpga"}).status, 0);
  std::vector<std::string> hashes;
  for (const char* plan : {"turns.weftplan", "boards.weftplan"}) {
    const ProgramResult ran = wide("train", {"--plan", plan});
    EXPECT_EQ(ran.status, 0) << ran.err;
    hashes.push_back(file_text(folder_ / "out/metrics.jsonl"));
    hashes.back() = hashes.back().substr(hashes.back().rfind("\"state_hash\""), 32);
    std::filesystem::remove_all(folder_ / "out");
  }
  EXPECT_EQ(hashes[0], hashes[1]);
}

TEST_F(Modes, CompileOnlySaysWhatBoundsEachPhaseAlsoAsJson) {
  const ProgramResult table = run("compile_only", {});
  const ProgramResult json = run("compile_only", {"--json"});
  ASSERT_EQ(json.status, 0) << json.err;
  std::istringstream lines(json.out);
  std::uint64_t cycles = 0;
  nlohmann::json last;
  for (std::string line; std::getline(lines, line);) {
    if (!last.is_null()) cycles += last.at("cycles").get<std::uint64_t>();
    last = nlohmann::json::parse(line);
    const std::string row = "\n  " + last.at("phase").get<std::string>() + " ";
    const std::size_t at = table.out.rfind(row);  // phases come last
    ASSERT_NE(at, std::string::npos) << line;
    const std::string found = table.out.substr(at + 1, table.out.find('\n', at + 1) - at - 1);
    EXPECT_TRUE(found.ends_with("%  " + last.at("bound").get<std::string>())) << found;
    for (const char* key : {"ops", "messages", "returned", "cycles"})
      EXPECT_NE(found.find(" " + std::to_string(last.at(key).get<std::uint64_t>()) + " "), std::string::npos)
          << key << found;
  }
  EXPECT_EQ(last.at("phase"), "total");
  EXPECT_EQ(last.at("cycles"), cycles);
  const ProgramResult training = run("train", {"--json"});
  EXPECT_EQ(training.status, 2);
  EXPECT_NE(training.err.find("metrics.jsonl"), std::string::npos) << training.err;
  EXPECT_EQ(run("compile_only", {"--json=x"}).status, 2);
}

TEST_F(Modes, TrainAndEvalEndsWithTheLossThatEvalFinds) {
  const ProgramResult trained = run("train_and_eval", {"--runconfig.eval_frequency", "2"});
  ASSERT_EQ(trained.status, 0) << trained.err;
  std::istringstream lines(file_text(folder_ / "out/metrics.jsonl"));
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
  const nlohmann::json result = nlohmann::json::parse(object.out);  // and nothing else
  EXPECT_EQ(result.at("step"), 3);
  EXPECT_EQ(result.at("eval_loss"), last) << "as metrics.jsonl has it";
  EXPECT_EQ(result.at("perplexity"), std::exp(last));
  EXPECT_EQ(result.at("tokens"), 56);
  EXPECT_NE(object.err.find("eval    "), std::string::npos) << object.err;
  EXPECT_FALSE(
      nlohmann::json::parse(run("eval", {"--json", "--model.label_smoothing", "0.1"}).out).contains("perplexity"));
}

TEST_F(Modes, ShardsOfTheSameTokensTrainAsTheTextDoes) {
  const std::string text = file_text(folder_ / "corpus.txt");
  std::vector<std::uint16_t> first, second;
  for (std::size_t i = 0; i < text.size(); ++i) (i < 777 ? first : second).push_back(text[i]);
  folder_.write("shards/b_000001.bin", shard_bytes(first));
  folder_.write("shards/b_000002.bin", shard_bytes(second));
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
  EXPECT_EQ(file_text(folder_ / "t/vocab.json").rfind("{\"tokenizer\":\"byte\",\"run\":\"", 0), 0U);
}

TEST_F(Modes, AnEvaluationIsTheSameForEveryCutIntoMicroBatches) {
  ASSERT_EQ(run("train").status, 0);
  const auto before = file_text(folder_ / "out/checkpoint_3.safetensors");
  const std::string line = last_line(run("eval"));
  EXPECT_NE(line.find("step 3: loss "), std::string::npos) << line;
  for (const char* micro_batch : {"1", "2", "4"}) {
    for (const char* wafers : {"1", "3"}) {
      EXPECT_EQ(last_line(run("eval", {"--train_input.micro_batch_size", micro_batch, "--num_csx", wafers})), line);
    }
  }
  EXPECT_EQ(last_line(run("eval", {"--backend", "rtl"})), line);
  EXPECT_EQ(file_text(folder_ / "out/checkpoint_3.safetensors"), before);
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

TEST_F(Modes, EvalAndGenerateMakeTheVocabularyAnewIfItIsTheCheckpoints) {
  ASSERT_EQ(run("train").status, 0);
  const std::string line = last_line(run("eval"));
  std::filesystem::remove(folder_ / "out/vocab.json");
  EXPECT_EQ(last_line(run("eval")), line);
  EXPECT_EQ(run("eval").out.find("note "), std::string::npos) << "it is known to be the same";
  folder_.write("other.txt", std::string(200, 'z'));
  for (const char* mode : {"eval", "generate"}) {
    const ProgramResult other =
        run(mode, {"--prompt", "z", "--train_input.data_dir", "other.txt", "--eval_input.data_dir", "other.txt"});
    EXPECT_EQ(other.status, 2);
    EXPECT_NE(other.err.find("other.txt: has not the characters that out/checkpoint_3.safetensors was trained with"),
              std::string::npos)
        << other.err;
  }
  EXPECT_EQ(run("generate", {"--prompt_tokens", "1"}).err.find("note "), std::string::npos) << "no text, no vocabulary";
  folder_.write("eval.bin", shard_bytes(std::vector<std::uint16_t>(100, 3)));
  std::filesystem::remove(folder_ / "corpus.txt");
  const ProgramResult shards = run("eval", {"--eval_input.data_dir", "eval.bin"});
  EXPECT_EQ(shards.status, 0) << shards.err;
  EXPECT_EQ(shards.out.find("note "), std::string::npos);
}

TEST_F(Modes, EvalAndGenerateRefuseAnotherNumberOfHeads) {
  ASSERT_EQ(run("train").status, 0);
  for (const char* mode : {"eval", "generate", "train"}) {
    const ProgramResult result = run(mode, {"--model.num_heads", "4", "--runconfig.prompt_tokens", "1"});
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(
        result.err,
        "command line: runconfig.model_dir: out/checkpoint_3.safetensors: was trained with model.num_heads 2, not "
        "4. HINT: set model.num_heads 2.\n");
  }
}

TEST_F(Modes, EvalWithoutACheckpointOrDataIsRefused) {
  const ProgramResult none = run("eval");
  EXPECT_EQ(none.status, 2);
  EXPECT_EQ(none.err,
            "command line: runconfig.model_dir: out has no checkpoint. HINT: train first, or name a file with "
            "--checkpoint_path.\n");
  const ProgramResult nothing = run_program(folder_, {"run", "--params", "mine.yaml", "--mode", "eval"});
  EXPECT_EQ(nothing.status, 2);
  EXPECT_EQ(nothing.err,
            "command line: runconfig.mode: eval has nothing to evaluate on. HINT: set eval_input.data_dir.\n");
}

TEST_F(Modes, AModelFolderThatCannotBeReadIsNotCalledEmpty) {
  std::filesystem::create_symlink("out", folder_ / "out");
  for (const std::string mode : {"eval", "generate"}) {
    EXPECT_EQ(run(mode, {"--runconfig.prompt_tokens", "1"}).err,
              "command line: runconfig.model_dir: out: cannot be read: Too many levels of symbolic links. HINT: name "
              "the folder of a run.\n");
    EXPECT_EQ(run(mode, {"--runconfig.prompt_tokens", "1", "--model_dir", "mine.yaml"}).err,
              "command line: runconfig.model_dir: mine.yaml: cannot be read: Not a directory. HINT: name the folder of "
              "a run.\n");
  }
}

TEST_F(Modes, WhatUsesACheckpointSaysThatAllAreDamaged) {
  for (const std::string mode : {"eval", "generate"}) {
    folder_.write("out/checkpoint_7.safetensors", "half a fi");
    const auto said = [&] {
      const ProgramResult result = run(mode, {"--runconfig.prompt_tokens", "1"});
      EXPECT_EQ(result.status, 2);
      return result.err;
    };
    const std::string newest = "command line: runconfig.model_dir: out/checkpoint_7.safetensors: header: ",
                      hint = "can be used. HINT: put a whole one there, or name a file with --checkpoint_path.\n";
    EXPECT_EQ(said().substr(0, newest.size()), newest);
    EXPECT_NE(said().find(", and it is the only checkpoint of its folder. HINT: put a whole one there, or name a "
                          "file with --checkpoint_path.\n"),
              std::string::npos)
        << said();
    folder_.write("out/checkpoint_5.safetensors", "");
    EXPECT_NE(said().find(", and none of the 2 checkpoints of its folder " + hint), std::string::npos) << said();
    std::filesystem::remove(folder_ / "out/checkpoint_5.safetensors");
  }
}

}  // namespace
}  // namespace weft
