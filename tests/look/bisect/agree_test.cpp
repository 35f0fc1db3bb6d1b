/// Sides that agree, what a trail's file says, and who wrote what.
#include <fstream>

#include "host/appliance/config/arguments.hpp"
#include "host/look/bisect/command.hpp"
#include "host/look/bisect/execute.hpp"
#include "host/look/bisect/program_side.hpp"
#include "sw/base/refusal.hpp"
#include "tests/appliance/temporary_folder.hpp"
#include "tests/look/bisect/sides.hpp"

namespace weft {
namespace {

using namespace bisect;

TEST(Trail, TheModelAndTheRtlSayTheSameOfEveryPhase) {
  Recorder model(Sides::tiny({})), rtl(Sides::tiny({}, "rtl"));
  EXPECT_EQ(Sides::find(model, rtl).kind, Kind::Nothing) << Sides::said();
  const Phases a = model.phases(1), b = rtl.phases(1);
  ASSERT_EQ(a.micro_batches.size(), 1u);
  ASSERT_EQ(a.micro_batches[0].phases.size(), model.plan().ops.size() + 2);
  for (std::size_t n = 0; n < a.micro_batches[0].phases.size(); ++n) {
    const PhaseSums &x = a.micro_batches[0].phases[n], &y = b.micro_batches[0].phases[n];
    EXPECT_EQ(x.tiles, y.tiles) << x.name;
    EXPECT_EQ(x.returned, y.returned) << x.name;
    EXPECT_EQ(x.data, y.data) << x.name;
    EXPECT_EQ(x.flags, std::vector<std::string>(x.tiles.size(), "none")) << x.name;
    EXPECT_EQ(x.flags, y.flags) << x.name;
    EXPECT_EQ(x.routes, y.routes) << x.name;
    EXPECT_EQ(x.routes.size(), x.tiles.size()) << x.name;
  }
}

/// Each write is by an instruction whose destination is of that kind: the wrong one of a pipeline's would be another.
TEST(Trail, EveryWriteHasItsInstruction) {
  Recorder rtl(Sides::tiny({}, "rtl"));
  for (const char* name : {"h.0.ln_1", "h.0.attn.c_attn.q", "h.0.attn", "h.0.mlp.gelu", "loss"}) {
    const Phase phase =
        rtl.phase({.level = Level::Phase, .step = 1, .micro_batch = 0, .phase = name, .row = 1, .col = 2});
    std::size_t writes = 0;
    for (const Event& e : phase.events) {
      const char kind = e.place[0];
      if (kind != 'M' && kind != 'R') continue;
      ++writes;
      ASSERT_NE(e.by, "command") << name << " " << e.place;
      const std::string text = e.by.substr(e.by.find(": ") + 2);
      const std::string rest = text.substr(text.find(' ') + 1), fits = std::string(1, kind) + "[";
      const bool psum = e.by.starts_with("psum");  // its destination is behind the stream
      ASSERT_TRUE(psum ? text.find(fits) != std::string::npos : rest.starts_with(fits))
          << name << " " << e.place << " by " << e.by;
    }
    EXPECT_GT(writes, 100u) << name;
  }
}

TEST(Trail, AFileThatIsDamagedOrOfAnotherLevelIsRefused) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "a.trail";
  save(Steps{.first = 3, .hashes = {"12", "34"}, .stopped = "why"}, file);
  const Steps again = load<Steps>(file);
  EXPECT_EQ(again.first, 3u);
  EXPECT_EQ(again.hashes, (std::vector<std::string>{"12", "34"}));
  EXPECT_EQ(again.stopped, "why");
  EXPECT_THROW(load<Phases>(file), Refusal);
  std::fstream(file, std::ios::in | std::ios::out | std::ios::ate).seekp(-6, std::ios::end) << "9";
  EXPECT_THROW(load<Steps>(file), Refusal);
  EXPECT_THROW(load<Steps>(folder.path() / "none"), Refusal);
}

TEST(Program, TwoConfigurationsThroughTheProgram) {
  const TemporaryFolder folder;
  const std::string params = std::string(WEFT_CONFIGS) + "/gpt_tiny.yaml";
  const std::string run =
      std::string(WEFT_LOOK) + " run --params " + params + " --num_steps 1 --train_input.batch_size 4";
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
  const TemporaryFolder folder;
  const std::vector<std::string> words = {"bisect",      "--params", std::string(WEFT_CONFIGS) + "/gpt_tiny.yaml",
                                          "--num_steps", "1",        "--train_input.batch_size",
                                          "4",           "--out",    folder.path().string()};
  const auto bisect_with = [&](const std::string& b, std::string& said) {
    std::vector<std::string> all = words;
    if (!b.empty()) all.push_back("--b=" + b);
    std::ostringstream out;
    const int code = bisect_command(parse_arguments(all), WEFT_LOOK, out);
    said = out.str();
    return code;
  };
  std::string said;
  EXPECT_EQ(bisect_with("--num_csx 2", said), 0) << said;
  EXPECT_NE(said.find("same    all that was compared"), std::string::npos) << said;
  EXPECT_EQ(bisect_with("--optimizer.eps 1e-7", said), 1);
  EXPECT_NE(said.find("place   wte.weight["), std::string::npos) << said;
  EXPECT_THROW(bisect_with("", said), Refusal);
  EXPECT_THROW(bisect_with("/no/such/program run", said), Refusal);
}

}  // namespace
}  // namespace weft
