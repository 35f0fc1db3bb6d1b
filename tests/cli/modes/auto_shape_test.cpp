/// `micro_batch_size: auto` and `sequence_columns: auto` through the program: messages, records, and resumed runs.
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/cli/modes/modes.hpp"

namespace weft::cli {
namespace {

class AutoShape : public Modes {
 protected:
  AutoShape() { edit_run(folder_, "micro_batch_size: 2", "micro_batch_size: auto"); }
  std::string params() { return test::file_text(folder_ / "out/train/params.yaml"); }
};

TEST_F(AutoShape, CompileOnlySaysWhatWasChosenAndWhatTheNextBestCosts) {
  const ProgramResult text = run("compile_only");
  ASSERT_EQ(text.status, 0) << text.err;
  const std::size_t at = text.out.find("chosen  train_input.micro_batch_size ");
  ASSERT_NE(at, std::string::npos) << text.out;
  const std::string line = text.out.substr(at, text.out.find('\n', at) - at);
  EXPECT_NE(line.find(", wafer.sequence_columns 1: "), std::string::npos) << line;
  EXPECT_NE(line.find(" cycles of a step on 1 wafer; next best "), std::string::npos) << line;
  EXPECT_TRUE(line.ends_with(" times")) << line;

  std::istringstream lines(run("compile_only", {"--json"}).out);
  std::map<std::string, double> facts;
  for (std::string one; std::getline(lines, one);)
    if (const auto object = nlohmann::json::parse(one); object.contains("bench"))
      facts[object.at("name")] = object.at("value").get<double>();
  EXPECT_EQ(facts.at("chosen: train_input.micro_batch_size"), number(line, "micro_batch_size "));
  EXPECT_EQ(facts.at("chosen: wafer.sequence_columns"), 1);
  EXPECT_EQ(facts.at("next best: train_input.micro_batch_size"), number(line, "next best "));
  EXPECT_GE(facts.at("next best, cost: train_input.micro_batch_size, wafer.sequence_columns"), 1);
  EXPECT_EQ(run("compile_only", {"--train_input.micro_batch_size", "2", "--wafer.sequence_columns", "1"})
                .out.find("chosen  "),
            std::string::npos);
}

TEST_F(AutoShape, ConfigsListsTheChoiceOfKeysThatTheFileSetsToAuto) {
  const ProgramResult table = run_program(folder_, {"configs", "mine.yaml"});
  ASSERT_EQ(table.status, 0) << table.err;
  EXPECT_NE(table.out.find("\n    train_input.micro_batch_size "), std::string::npos) << table.out;
  EXPECT_EQ(table.out.find("wafer.valves"), std::string::npos) << table.out;
  const ProgramResult json = run_program(folder_, {"configs", "mine.yaml", "--json", "--wafer.valves", "auto"});
  const auto object = nlohmann::json::parse(json.out);
  ASSERT_EQ(object.at("auto").size(), 2U) << json.out;
  EXPECT_GT(object.at("auto")[0].at("chosen").at("train_input.micro_batch_size"), 0);
  EXPECT_GE(object.at("auto")[0].at("ratio"), 1.0);
  EXPECT_GT(object.at("auto")[1].at("chosen").at("wafer.valves"), 0);
}

TEST_F(AutoShape, TheNumberOfWafersToChooseForIsASettingOfItsOwn) {
  const ProgramResult idle = run("compile_only", {"--num_csx", "4"});
  EXPECT_NE(idle.out.find("note    train_input.micro_batch_size: auto, for train_input.auto_num_csx 1: "),
            std::string::npos)
      << idle.out;
  const ProgramResult stated = run("compile_only", {"--num_csx", "4", "--train_input.auto_num_csx", "4"});
  EXPECT_EQ(stated.out.find("note    train_input."), std::string::npos) << stated.out;
  EXPECT_LT(number(stated.out, "chosen  train_input.micro_batch_size "),
            number(idle.out, "chosen  train_input.micro_batch_size "));
  EXPECT_NE(stated.out.find(" cycles of a step on 4 wafers; "), std::string::npos) << stated.out;
  const ProgramResult table = run_program(folder_, {"configs", "mine.yaml", "--num_csx", "4"});
  EXPECT_NE(table.out.find("\n    train_input.micro_batch_size: auto, for train_input.auto_num_csx 1: "),
            std::string::npos)
      << table.out;
  const ProgramResult unused =
      run("compile_only", {"--train_input.micro_batch_size", "2", "--train_input.auto_num_csx", "4"});
  EXPECT_NE(unused.out.find("note    train_input.auto_num_csx: has no effect: applies to an automatic number of "
                            "sequences, but train_input.micro_batch_size is 2"),
            std::string::npos)
      << unused.out;
}

TEST_F(AutoShape, ARunRecordsTheNumbersAndHasTheirBits) {
  const ProgramResult automatic = run("train", {"--num_csx", "2"});
  ASSERT_EQ(automatic.status, 0) << automatic.err;
  for (const char* key : {"micro_batch_size", "sequence_columns"})
    EXPECT_EQ(params().find(std::string(key) + ": auto"), std::string::npos) << params();
  const auto chosen = std::to_string(static_cast<int>(number(params(), "micro_batch_size: ")));
  const auto hash = [&] {
    const std::string metrics = test::file_text(folder_ / "out/metrics.jsonl");
    return metrics.substr(metrics.rfind("state_hash"), 32);
  };
  const std::string bits = hash();
  ASSERT_EQ(run("train", {"--train_input.micro_batch_size", chosen, "--model_dir", "out2"}).status, 0);
  std::filesystem::rename(folder_ / "out", folder_ / "out1");
  std::filesystem::rename(folder_ / "out2", folder_ / "out");
  EXPECT_EQ(hash(), bits) << "for any number of wafers";
}

TEST_F(AutoShape, AResumedRunKeepsTheShapeThatItsCheckpointRecords) {
  const ProgramResult first = run("train", {"--train_input.micro_batch_size", "1", "--wafer.sequence_columns", "2"});
  ASSERT_EQ(first.status, 0) << first.err;  // as a version with another estimate may have chosen
  const ProgramResult second = run("train", {"--max_steps", "5"});
  EXPECT_EQ(second.status, 0) << second.err;
  EXPECT_NE(second.out.find("auto    train_input.micro_batch_size 1, wafer.sequence_columns 2, as "), std::string::npos)
      << second.out;
  EXPECT_NE(params().find("micro_batch_size: 1\n"), std::string::npos) << params();
  const ProgramResult other = run("train", {"--max_steps", "7", "--train_input.batch_size", "2"});
  EXPECT_EQ(other.status, 2) << "another batch is another run";
  EXPECT_NE(other.err.find("train_input.batch_size was 4 and is 2 now"), std::string::npos) << other.err;
  EXPECT_EQ(other.out.find("auto    "), std::string::npos) << other.out;
}

TEST_F(AutoShape, APlanFromAFileHasItsShape) {
  ASSERT_EQ(run("compile_only", {"--train_input.micro_batch_size", "1", "--save", "plan"}).status, 0);
  const ProgramResult result = run("train", {"--plan", "plan"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_NE(params().find("micro_batch_size: 1\n"), std::string::npos) << params();
}

TEST_F(AutoShape, OtherModesResolveItToo) {
  ASSERT_EQ(run("train").status, 0);
  for (const char* mode : {"validate_only", "eval", "train_and_eval"})
    EXPECT_EQ(run(mode, {"--max_steps", "4", "--eval_input.batch_size", "2"}).status, 0) << mode;
  EXPECT_EQ(run("generate", {"--prompt", "ab", "--runconfig.max_new_tokens", "2"}).status, 0);
  EXPECT_EQ(run_program(folder_, {"check", "--params", "mine.yaml"}).status, 0);
}

}  // namespace
}  // namespace weft::cli
