/// Results known before anything runs: --mode validate_only and compile_only.
#include <fmt/format.h>
#include <sys/resource.h>

#include <map>
#include <nlohmann/json.hpp>

#include "tests/cli/modes/modes.hpp"

namespace weft::cli {
namespace {

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
  EXPECT_NE(test::file_text(folder_ / "out/train/params.yaml").find("  valves: 1\n"), std::string::npos);
  EXPECT_EQ(run("compile_only").status, 0);
  EXPECT_EQ(run_program(folder_, {"check", "--params", "mine.yaml"}).status, 0);
}

TEST_F(Modes, CompileOnlyShowsThePlanAndNeedsNoData) {
  std::filesystem::remove(folder_ / "corpus.txt");
  const ProgramResult result = run("compile_only", {"--num_csx", "2"});
  EXPECT_EQ(result.status, 0) << result.err;
  for (const char* text : {"  total per PE ", "\n  h.*.mlp.c_fc ", "\n  lm_head.dw ", "\n  total ",
                           "a step: 2 micro-batches on 2 wafers, 1 pass, "}) {
    EXPECT_NE(result.out.find(text), std::string::npos) << text << result.out;
  }
  EXPECT_EQ(result.out.find(" steps/s "), std::string::npos) << "nothing is measured: " << result.out;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out"));
  const ProgramResult one = run("compile_only", {"--train_input.micro_batch_size", "4"});
  EXPECT_NE(one.out.find("a step: 1 micro-batch on 1 wafer, 1 pass, "), std::string::npos) << one.out;
  const ProgramResult unfit = run("compile_only", {"--model.hidden_size", "8000"});
  EXPECT_EQ(unfit.status, 2);
  EXPECT_EQ(unfit.error_lines(), 1) << unfit.err;
  EXPECT_NE(unfit.err.find("deltas"), std::string::npos) << "bytes by use: " << unfit.err;
}

TEST_F(Modes, CompileOnlyMeasuresStepsOnRequest) {
  const ProgramResult result = run("compile_only", {"--measure"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_GT(number(result.out, "\n  model "), 0);
  EXPECT_GT(number(result.out, "\n  rtl "), 0);
  EXPECT_NE(result.out.find(" steps/s expected, of whole steps with tree and optimizer\n"), std::string::npos);
  EXPECT_EQ(run("train", {"--measure"}).status, 2);
}

/// 4 bytes per message and word, by the table's totals.
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
  EXPECT_EQ(run("compile_only", {"--clock", "99999999999999"}).err,
            "--clock: 99999999999999 is out of range. HINT: use at most 1000000000000.\n");
  const std::string early =
      run("compile_only", {"--memoryx.eager_update", "true", "--train_input.micro_batch_size", "4"}).out;
  EXPECT_NE(early.find("792 parameters, 12 bytes each: "), std::string::npos) << early;
}

/// Model sizes of the GPT-3 paper (Brown et al. 2020) on 850 x 1000 tiles: tiles and parameters must not be enumerated.
class WideModes : public Modes {
 protected:
  void compiles(int layers, int hidden, int heads, const std::string& recompute, const std::string& parameters,
                int vocab = 50257) {
    const ProgramResult result = run("compile_only", {"--wafer.rows",
                                                      "850",
                                                      "--wafer.cols",
                                                      "1000",
                                                      "--wafer.sram_kib",
                                                      "96",
                                                      "--model.vocab_size",
                                                      std::to_string(vocab),
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

TEST_F(WideModes, CompileOnlyOfThreeBillionParametersTakesLittleMemory) {
  compiles(10, 5120, 40, "none", "3182617600", 5025);
}

using WideModesLong = WideModes;
TEST_F(WideModesLong, CompileOnlyOfThirteenBillionParametersTakesLittleMemory) {
  compiles(40, 5120, 40, "none", "12853386240");
}
TEST_F(WideModesLong, CompileOnlyOf175BillionParametersTakesLittleMemory) {
  compiles(96, 12288, 96, "block", "174604259328");
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
    const auto object = nlohmann::json::parse(line);
    if (object.contains("bench")) continue;
    last = object;
    const std::string row = "\n  " + last.at("phase").get<std::string>() + " ";
    const std::size_t at = table.out.rfind(row);  // phases come last in the output
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
  EXPECT_NE(run("compile_only", {"--json", "--measure"}).err.find("cannot be combined with --json"), std::string::npos);
}

TEST_F(Modes, CompileOnlySaysMemoryAndMemoryXAlsoAsJson) {
  const auto facts = [&](const std::vector<std::string>& more) {
    std::vector<std::string> options = {"--json"};
    options.insert(options.end(), more.begin(), more.end());
    std::istringstream lines(run("compile_only", options).out);
    std::map<std::string, double> all;
    for (std::string line; std::getline(lines, line);) {
      const auto object = nlohmann::json::parse(line);
      if (!object.contains("bench")) continue;
      EXPECT_EQ(object.at("bench"), "compile_only");
      EXPECT_TRUE(object.at("unit").is_string());
      EXPECT_TRUE(all.emplace(object.at("name"), object.at("value").get<double>()).second) << line;
    }
    return all;
  };
  const auto all = facts({});
  const std::string text = run("compile_only", {}).out;
  double used = 0;
  for (const auto& [name, value] : all) {
    if (!name.starts_with("SRAM: ")) continue;
    used += name == "SRAM: total per PE" ? 0 : value;
    const std::size_t at = text.find("\n  " + name.substr(6) + " ");
    ASSERT_NE(at, std::string::npos) << name;
    EXPECT_NE(text.substr(at, 60).find(fmt::format(" {:.0f} bytes", value)), std::string::npos) << name;
  }
  EXPECT_EQ(used, all.at("SRAM: total per PE"));
  EXPECT_EQ(all.at("SRAM"), 48 * 1024);
  EXPECT_EQ(all.at("MemoryX"), 20 * all.at("parameters"));
  EXPECT_NE(text.find(fmt::format("MemoryX: {:.0f} parameters", all.at("parameters"))), std::string::npos);
  EXPECT_FALSE(all.contains("MemoryX, in DRAM"));
  EXPECT_EQ(all.at("clock"), 50);
  EXPECT_DOUBLE_EQ(all.at("time") * all.at("to the wafers, rate"), all.at("to the wafers"));
  EXPECT_EQ(facts({"--clock", "100"}).at("time"), all.at("time") / 2);
  EXPECT_EQ(facts({"--wafer.valves", "2"}).at("valves"), 2);
  EXPECT_GT(facts({"--wafer.valves", "auto"}).at("valves"), 0) << "those that it chose";
}

TEST_F(Modes, AFolderForWhatNothingBoundsIsNoted) {
  const std::string note =
      "note    memoryx.flash_dir: has no effect: applies to runs with a bound of DRAM, but memoryx.dram_gib is 0\n";
  EXPECT_NE(run("train", {"--memoryx.flash_dir", "."}).out.find(note), std::string::npos);
  EXPECT_EQ(run("train", {"--memoryx.flash_dir", ".", "--memoryx.dram_gib", "1"}).out.find(note), std::string::npos);
}

TEST_F(Modes, ABoundOfDramIsRefusedBeforeAnythingIsThere) {
  const ProgramResult little = run("compile_only", {"--memoryx.dram_gib", "1e-9"});
  EXPECT_EQ(little.status, 2) << "as training refuses it";
  EXPECT_NE(little.err.find("command line: memoryx.dram_gib: 1 bytes have no room"), std::string::npos) << little.err;
  // 193 billion parameters, on few enough tiles for any machine to simulate.
  const ProgramResult much = run("train", {"--wafer.rows",
                                           "480",
                                           "--wafer.cols",
                                           "1",
                                           "--wafer.sram_kib",
                                           "128",
                                           "--model.hidden_size",
                                           "4800",
                                           "--model.num_heads",
                                           "48",
                                           "--model.filter_size",
                                           "19200",
                                           "--model.num_hidden_layers",
                                           "700",
                                           "--model.recompute",
                                           "block",
                                           "--train_input.micro_batch_size",
                                           "1",
                                           "--memoryx.dram_gib",
                                           "100000"});
  EXPECT_EQ(much.status, 2);
  EXPECT_NE(much.err.find("command line: memoryx.dram_gib: MemoryX has "), std::string::npos) << much.err;
  EXPECT_NE(much.err.find(" of it in DRAM; this machine has "), std::string::npos) << much.err;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out"));
}

}  // namespace
}  // namespace weft::cli
