/// Each parameter file of the repository compiles, including the largest.
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "host/config/file/load.hpp"
#include "sw/base/refusal.hpp"
#include "sw/compiler/model/tensors.hpp"
#include "tests/cli/program.hpp"
#include "tests/says.hpp"

namespace weft::config {
namespace {

std::string file_of(const std::string& name) { return std::string(WEFT_CONFIGS) + "/" + name + ".yaml"; }

/// Models of at least 10 million parameters take 3 to 20 seconds to compile. A file that cannot be read is not large.
bool is_large(const std::string& file) {
  try {
    return compiler::parameter_count(compiler::model_tensors(load_config(file).model)) >= 10'000'000;
  } catch (const Refusal&) {
    return false;
  }
}

/// Names of the files whose models are large, or of the others.
std::vector<std::string> configurations(bool large) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(WEFT_CONFIGS))
    if (entry.path().extension() == ".yaml" && is_large(entry.path()) == large) names.push_back(entry.path().stem());
  std::ranges::sort(names);
  return names;
}

/// Compiles a file and checks the last line of the output.
void expect_compiles(const std::string& name) {
  const test::TemporaryFolder folder;
  const cli::ProgramResult phases =
      cli::run_program(folder, {"run", "--params", file_of(name), "--mode", "compile_only", "--json"});
  ASSERT_EQ(phases.status, 0) << phases.err;
  std::istringstream lines(phases.out);
  std::string last;
  for (std::string line; std::getline(lines, line);) last = line;
  const auto total = nlohmann::json::parse(last);
  EXPECT_EQ(total.at("phase"), "total");
  EXPECT_GT(total.at("cycles"), 10'000U);
}

class Compiles : public testing::TestWithParam<std::string> {};
class CompilesLong : public testing::TestWithParam<std::string> {};

TEST_P(Compiles, AndSaysWhatItTakes) { expect_compiles(GetParam()); }

TEST_P(CompilesLong, AndSaysWhatItTakes) { expect_compiles(GetParam()); }

std::string name_of(const testing::TestParamInfo<std::string>& info) { return info.param; }

INSTANTIATE_TEST_SUITE_P(Configs, Compiles, testing::ValuesIn(configurations(false)), name_of);
INSTANTIATE_TEST_SUITE_P(Configs, CompilesLong, testing::ValuesIn(configurations(true)), name_of);

/// The short sibling of CompilesLong: "params_gpt3_6p7b_pile" has 6.7 billion parameters.
TEST(LargeConfigs, HaveTheParametersThatTheirNamesPromise) {
  int named = 0;
  for (const std::string& name : configurations(true)) {
    std::smatch match;
    if (!std::regex_search(name, match, std::regex("_([0-9]+)p?([0-9]*)b(_|$)"))) continue;
    ++named;
    const double promised = 1e9 * std::stod(match.str(1) + "." + match.str(2));
    const auto tensors = compiler::model_tensors(load_config(file_of(name)).model);
    EXPECT_NEAR(static_cast<double>(compiler::parameter_count(tensors)), promised, 0.1 * promised) << name;
  }
  EXPECT_EQ(named, 8) << "a file that cannot be read is one of Compiles";
}

TEST(ListConfigs, SaysOfEachWhatCompileOnlySays) {
  const test::TemporaryFolder folder;
  cli::write_small_run(folder);
  folder.write("all/large.yaml", test::file_text(folder / "mine.yaml"));
  cli::edit_run(folder, "hidden_size: 8", "hidden_size: 4");
  folder.write("all/little.yaml", test::file_text(folder / "mine.yaml"));
  const cli::ProgramResult list =
      cli::run_program(folder, {"configs", "all", "--json", "--clock", "100", "--num_csx", "2"});
  ASSERT_EQ(list.status, 0) << list.err;
  std::istringstream lines(list.out);
  std::vector<nlohmann::json> rows;
  for (std::string line; std::getline(lines, line);) rows.push_back(nlohmann::json::parse(line));
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].at("file"), "all/little.yaml") << "fewer parameters first";
  const cli::ProgramResult phases =
      cli::run_program(folder, {"run", "--params", "all/large.yaml", "--mode", "compile_only", "--json"});
  const auto total = nlohmann::json::parse(phases.out.substr(phases.out.rfind("{\"phase\"")));
  EXPECT_EQ(rows[1].at("step_cycles"), total.at("cycles")) << "2 micro-batches on 2 wafers";
  EXPECT_DOUBLE_EQ(rows[1].at("step_seconds"), total.at("cycles").get<double>() / 1e8);
  EXPECT_EQ(rows[1].at("memoryx_bytes"), 20 * rows[1].at("parameters").get<int>());
  EXPECT_EQ(rows[1].at("bound"), total.at("bound"));
  const std::string share = phases.out.substr(phases.out.find("share_of_lanes"));
  EXPECT_TRUE(share.starts_with("share_of_lanes\",\"value\":" + rows[1].at("share_of_lanes").dump())) << share;
}

TEST(ListConfigs, OneThatIsRefusedDoesNotHideTheOthers) {
  const test::TemporaryFolder folder;
  cli::write_small_run(folder);
  folder.write("all/good.yaml", test::file_text(folder / "mine.yaml"));
  cli::edit_run(folder, "cols: 2", "cols: 2\n  sram_kib: 1");
  folder.write("all/tight.yaml", test::file_text(folder / "mine.yaml"));
  folder.write("all/wrong.yaml", "modell:\n");
  const cli::ProgramResult list = cli::run_program(folder, {"configs", "all"});
  EXPECT_EQ(list.status, 2);
  EXPECT_SAYS(list.out, "good.yaml");
  EXPECT_SAYS(list.out, "tight.yaml rejected\n");
  EXPECT_SAYS(list.err, "all/wrong.yaml:1: modell: unknown section. HINT: did you mean model?");
  EXPECT_SAYS(list.err, "wafer.sram_kib: every PE needs");
}

TEST(Version, NamesCommitAndLanes) {
  const test::TemporaryFolder folder;
  const cli::ProgramResult version = cli::run_program(folder, {"--version"});
  EXPECT_EQ(version.status, 0);
  EXPECT_TRUE(version.out.starts_with("weft ")) << version.out;
  EXPECT_SAYS(version.out, ", commit ");
  EXPECT_SAYS(version.out, ", RTL of 4");
}

/// More memory than any machine has; on smaller runs the process would be killed.
TEST(HostMemory, OversizedSimulationIsRejected) {
  const test::TemporaryFolder folder;
  const std::string file = std::string(WEFT_CONFIGS) + "/params_gpt3_xl_pile.yaml";
  const cli::ProgramResult tiles = cli::run_program(folder, {"run", "-p", file, "-o", "out", "--num_csx", "1024"});
  EXPECT_EQ(tiles.status, 2);
  EXPECT_SAYS(tiles.err,
              "params_gpt3_xl_pile.yaml:50: wafer.rows: 1024 wafers of 850 x 1000 tiles, 48 KiB each, take 42.78 TB");
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
}

}  // namespace
}  // namespace weft::config
