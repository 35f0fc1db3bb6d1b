/// Sides that are separate programs, and the command itself.
#include "host/config/command_line/arguments.hpp"
#include "host/inspect/bisect/command.hpp"
#include "host/inspect/bisect/execute.hpp"
#include "host/inspect/bisect/program_side.hpp"
#include "sw/base/refusal.hpp"
#include "tests/inspect/bisect/sides.hpp"
#include "tests/temporary_folder.hpp"

namespace weft::inspect::bisect {
namespace {

TEST(Program, TwoConfigurationsThroughTheProgram) {
  const test::TemporaryFolder folder;
  const std::string params = std::string(WEFT_CONFIGS) + "/gpt_tiny.yaml";
  const std::string run =
      std::string(WEFT_INSPECT) + " run --params " + params + " --num_steps 1 --train_input.batch_size 4";
  ProgramSide a(split(run), folder.path(), "a"), b(split(run + " --model.layer_norm_epsilon 2e-5"), folder.path(), "b");
  const Finding finding = Sides::find(a, b);
  EXPECT_EQ(finding.kind, Kind::Tile) << Sides::said();
  EXPECT_EQ(finding.phase, "h.0.ln_1");
  EXPECT_EQ(finding.a, "37280000 1.00136e-05");
  EXPECT_EQ(finding.b, "37a80000 2.00272e-05");
  EXPECT_NE(finding.by_a.find("layernorm.s:"), std::string::npos) << finding.by_a;
  ProgramSide same(split(run), folder.path(), "c");
  EXPECT_EQ(Sides::find(a, same).kind, Kind::Nothing);
  ProgramSide wrong(split(run + " --no.such 1"), folder.path(), "d");
  EXPECT_THROW(wrong.steps(), Refusal);
}

TEST(Program, TheCommandAddsToBothSidesAndSaysWhatDiffers) {
  const test::TemporaryFolder folder;
  const std::vector<std::string> words = {"bisect",      "--params", std::string(WEFT_CONFIGS) + "/gpt_tiny.yaml",
                                          "--num_steps", "1",        "--train_input.batch_size",
                                          "4",           "--out",    folder.path().string()};
  const auto bisect_with = [&](const std::string& b, std::string& said) {
    std::vector<std::string> all = words;
    if (!b.empty()) all.push_back("--b=" + b);
    std::ostringstream out;
    const int code = bisect_command(config::parse_arguments(all), WEFT_INSPECT, out);
    said = out.str();
    return code;
  };
  std::string said;
  EXPECT_EQ(bisect_with("--num_csx 2", said), 0) << said;
  EXPECT_NE(said.find("same    no difference was found"), std::string::npos) << said;
  EXPECT_EQ(bisect_with("--optimizer.eps 1e-7", said), 1);
  EXPECT_NE(said.find("place   wte.weight["), std::string::npos) << said;
  EXPECT_THROW(bisect_with("", said), Refusal);
  EXPECT_THROW(bisect_with("/no/such/program run", said), Refusal);
}

}  // namespace
}  // namespace weft::inspect::bisect
