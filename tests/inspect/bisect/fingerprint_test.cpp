/// Fingerprints: of two sides that agree, with the writers of values, and as files.
#include <fmt/format.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "sw/base/crc32c.hpp"
#include "sw/base/refusal.hpp"
#include "tests/compiler/listed_stream.hpp"
#include "tests/inspect/bisect/sides.hpp"
#include "tests/temporary_folder.hpp"

namespace weft::inspect::bisect {
namespace {

TEST(Fingerprint, TheModelAndTheRtlSayTheSameOfEveryPhase) {
  Recorder model(Sides::tiny(Sides::one_layer())), rtl(Sides::tiny(Sides::one_layer(), "rtl"));
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

/// The instruction of each write has a destination of the same kind, which a wrong instruction of the pipeline would
/// not have.
TEST(Fingerprint, EveryWriteHasItsInstruction) {
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
      const bool psum = e.by.starts_with("psum");  // psum's destination follows the stream operand
      ASSERT_TRUE(psum ? text.find(fits) != std::string::npos : rest.starts_with(fits))
          << name << " " << e.place << " by " << e.by;
    }
    EXPECT_GT(writes, 100u) << name;
  }
}

/// EAST has messages only where a sequence is spread over several columns.
TEST(Fingerprint, EveryColorsMessageHasItsInstruction) {
  Recorder rtl(Sides::tiny({{"wafer.sequence_columns", "2"}}, "rtl"));
  std::map<std::string, int> sent;
  for (int col = 0; col < 2; ++col) {
    const Phase phase =
        rtl.phase({.level = Level::Phase, .step = 1, .micro_batch = 0, .phase = "h.0.attn", .row = 1, .col = col});
    for (const Event& e : phase.events) {
      if (!e.place.starts_with("sends ")) continue;
      ++sent[e.place];
      EXPECT_NE(e.by.find("out=" + e.place.substr(6)), std::string::npos) << e.place << " by '" << e.by << "'";
    }
  }
  EXPECT_GT(sent["sends EAST"], 0);
}

TEST(Fingerprint, AFileThatIsDamagedOrOfAnotherLevelIsRefused) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "a.fingerprint";
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

TEST(Fingerprint, AFileOfTheOldCommandIsRead) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "a.trail";
  save(Steps{.first = 3, .hashes = {"12"}, .stopped = ""}, file);
  std::string text = test::file_text(file);
  const std::string name = "weft_fingerprint";
  text.replace(text.find(name), name.size(), "weft_trail");
  std::ofstream(file) << text;
  EXPECT_EQ(load<Steps>(file).hashes, std::vector<std::string>{"12"});
}

/// A fingerprint file as written by a version without flags and routes.
Phases of_before(const Phases& today, const std::filesystem::path& file) {
  save(today, file);
  std::string head, body;
  std::ifstream in(file);
  std::getline(in, head);
  std::getline(in, body);
  nlohmann::json fingerprint = nlohmann::json::parse(body);
  for (auto& micro_batch : fingerprint.at("micro_batches"))
    for (auto& phase : micro_batch.at("phases")) phase.erase("flags"), phase.erase("routes");
  body = fingerprint.dump() + "\n";
  nlohmann::json said = nlohmann::json::parse(head);
  said["crc32c"] = fmt::format("{:08x}", crc32c({reinterpret_cast<const std::uint8_t*>(body.data()), body.size()}));
  std::ofstream(file) << said.dump() << '\n' << body;
  return load<Phases>(file);
}

TEST(Fingerprint, ACommitThatKnewNoFlagsAndRoutesIsComparedInTheRest) {
  struct Before : Side {
    explicit Before(const config::Config& config) : recorder(config) {}
    Steps steps() override { return recorder.steps(); }
    State state(std::uint64_t step) override { return recorder.state(step); }
    Phases phases(std::uint64_t step) override { return of_before(recorder.phases(step), folder.path() / "a.phases"); }
    Phase phase(const Request& request) override { return recorder.phase(request); }
    Recorder recorder;
    test::TemporaryFolder folder;
  };
  Before a(Sides::tiny({}));
  Recorder b(Sides::tiny({{"model.layer_norm_epsilon", "2e-5"}}));
  EXPECT_TRUE(a.phases(1).micro_batches.at(0).phases.at(0).flags.empty());
  const Finding finding = Sides::find(a, b);
  EXPECT_EQ(finding.phase, "h.0.ln_1") << Sides::said();
  EXPECT_NE(finding.by_a.find("layernorm.s:"), std::string::npos) << finding.by_a;
}

/// A commit whose gradients' phases have their former names, and that knows no others.
TEST(FormerNames, ACommitWithFormerNamesOfPhasesIsComparedUnderThem) {
  struct Former : Side {
    explicit Former(const config::Config& config) : recorder(config) {}
    Steps steps() override { return recorder.steps(); }
    State state(std::uint64_t step) override { return recorder.state(step); }
    Phases phases(std::uint64_t step) override {
      Phases phases = recorder.phases(step);
      for (MicroBatch& m : phases.micro_batches)
        for (PhaseSums& phase : m.phases)
          if (!phase.former.empty()) phase.name = std::exchange(phase.former, "");
      return phases;
    }
    Phase phase(const Request& request) override {
      asked.push_back(request.phase);
      return recorder.phase(request);
    }
    Recorder recorder;
    std::vector<std::string> asked;
  };
  Sides sides;
  compiler::Plan other = sides.plan;
  for (compiler::StreamEntry& entry : compiler::listed_entries(other.ops[sides.op("h.1.mlp.c_proj.dx")]))
    if (entry.source < compiler::StreamEntry::kLiteral) entry.source = 0;
  const auto check = [&](Side& a, Side& b, const Former& former) {
    const Finding finding = Sides::find(a, b);
    EXPECT_EQ(finding.kind, Kind::Stream) << Sides::said();
    EXPECT_EQ(finding.phase, "h.1.mlp.c_proj.dx");
    ASSERT_FALSE(former.asked.empty());
    EXPECT_EQ(former.asked.back(), "d.h.1.mlp.gelu");
  };
  Former before(sides.config), again(sides.config);
  Recorder now(sides.config, other, sides.model());
  check(before, now, before);
  check(now, again, again);
}

}  // namespace
}  // namespace weft::inspect::bisect
