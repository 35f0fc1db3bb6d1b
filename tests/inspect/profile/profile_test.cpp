/// `weft profile` on the shipped configurations and on a small one.
#include "host/inspect/profile/profile.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>

#include "host/config/file/load.hpp"
#include "host/inspect/profile/bound.hpp"
#include "host/inspect/profile/command.hpp"
#include "host/inspect/profile/measure.hpp"
#include "host/inspect/profile/perfetto.hpp"
#include "host/inspect/profile/print.hpp"
#include "host/inspect/profile/roofline.hpp"
#include "host/planning/compile_plan.hpp"
#include "host/system/overwrite_guard.hpp"
#include "tests/cosim/tiny.hpp"
#include "tests/temporary_folder.hpp"
#include "verif/sim/clocked_wafer.hpp"

namespace weft::inspect::profile {
namespace {

using isa::StallReason;

/// Checks that each thread's stall reasons add up to all cycles of the phase, on every tile, and that a tile's phases
/// are contiguous.
void expect_whole(const Profile& p) {
  std::vector<std::uint64_t> end;
  for (const sim::StallRecord& r : p.phases[0].tiles) end.push_back(r.begin);
  for (const Phase& phase : p.phases) {
    ASSERT_EQ(phase.tiles.size(), p.tiles());
    for (std::size_t tile = 0; tile < p.tiles(); ++tile) {
      const sim::StallRecord& r = phase.tiles[tile];
      EXPECT_EQ(r.begin, end[tile]) << phase.name;
      end[tile] = r.end;
      for (const auto& thread : r.counts)
        ASSERT_EQ(std::accumulate(thread.begin(), thread.end(), std::uint64_t{0}), r.cycles())
            << phase.name << " tile " << r.row << "," << r.col;
    }
  }
}

struct Measured {
  Measured(const compiler::ModelShape& model, const machine::WaferShape& wafer)
      : tiny(wafer, model), memoryx(tiny.plan, {}), rtl(sim::make_clocked_wafer(wafer)) {
    result = measure(tiny.plan, memoryx, {tiny.inputs, tiny.labels}, 0, *simulated(tiny.plan, *rtl),
                     [this](std::uint64_t cycles) { shown.push_back(cycles); });
  }
  cosim::Tiny tiny;
  memoryx::MemoryX memoryx;
  std::unique_ptr<sim::ClockedWafer> rtl;
  Profile result;
  std::vector<std::uint64_t> shown;  // progress after each phase
};

TEST(Profile, SaysBehindEachPhaseHowFarItIs) {
  const machine::WaferShape wafer{.rows = 2, .cols = 2};
  const Measured m(cosim::tiny_model(), wafer);
  ASSERT_EQ(m.shown.size(), m.tiny.plan.ops.size() + 1);
  EXPECT_TRUE(std::ranges::is_sorted(m.shown));
  const std::uint64_t all = m.result.phases.back().tiles[0].end - m.result.phases.front().tiles[0].begin;
  EXPECT_GT(m.shown.back(), all * 8 / 10);
  EXPECT_LT(m.shown.back(), all * 11 / 10);
}

TEST(Profile, StallReasonsAddUpOnEveryTileWithTwoValvesAndEightLanes) {
  for (const machine::WaferShape wafer :
       {machine::WaferShape{.rows = 3, .cols = 2, .valves = 2}, machine::WaferShape{.rows = 2, .cols = 3, .lanes = 8}})
    ASSERT_NO_FATAL_FAILURE(expect_whole(Measured(cosim::tiny_model(), wafer).result));
}

TEST(Profile, BeatsAndMessagesAreThoseOfTheWafer) {
  const machine::WaferShape wafer{.rows = 2, .cols = 2};
  const Measured m(cosim::tiny_model(), wafer);
  const auto loaded = sim::make_clocked_wafer(wafer);  // loading runs kernels, too
  loaded->feed(m.tiny.plan.load);
  loaded->settle();
  const Sum all = total(m.result);
  const auto count = [&](int thread) { return all.counts[static_cast<std::size_t>(thread)][0]; };  // issues
  // For some beats of main the second operand was fetched beforehand, which counts as an issue, too.
  const std::uint64_t beats = m.rtl->counters().beats - loaded->counters().beats;
  EXPECT_GE(count(0) + count(1), beats);
  EXPECT_LE(count(0) + count(1), beats + all.multiply_adds / static_cast<std::uint64_t>(wafer.lanes));
  EXPECT_EQ(all.multiply_adds, m.rtl->counters().fma_lanes - loaded->counters().fma_lanes);
  std::uint64_t words = 0;
  for (const compiler::Op& op : m.tiny.plan.ops) words = std::accumulate(op.returned.begin(), op.returned.end(), words);
  EXPECT_EQ(all.returned, words);
  EXPECT_EQ(all.sent, m.tiny.messages.size() + m.result.phases.size());  // plus a MARK per phase
  for (std::size_t op = 0; op < m.tiny.plan.ops.size(); ++op) {
    const Phase& phase = m.result.phases[op + 1];
    EXPECT_EQ(phase.name, m.tiny.plan.ops[op].name);
    for (std::size_t row = 0; row < phase.outlets.size(); ++row) {
      EXPECT_EQ(phase.outlets[row].messages, m.tiny.plan.ops[op].returned[row]) << phase.name;
      EXPECT_LE(phase.outlets[row].begin, phase.outlets[row].end);
    }
    for (const Traffic& valve : phase.valves) EXPECT_GE(valve.end, valve.begin + valve.messages);
  }
}

TEST(Profile, TheHostSumsWhatTheWaferReturns) {
  const Measured m(cosim::tiny_model(), {.rows = 2, .cols = 2});
  std::size_t gradients = 0, expanded = 0, summed = 0, applied = 0;
  for (const compiler::Op& op : m.tiny.plan.ops) gradients += op.returns == compiler::Returns::Gradient;
  for (const HostWork& work : m.result.host) {
    EXPECT_GE(work.seconds, 0);
    expanded += work.what.starts_with("expand ");
    summed += work.what.starts_with("sum ");
    applied += work.what == "apply";
  }
  EXPECT_EQ(expanded, m.tiny.plan.ops.size());
  EXPECT_EQ(summed, gradients);
  EXPECT_EQ(applied, 1u);
}

TEST(Profile, LayersAreOneKind) {
  EXPECT_EQ(of_all_layers("h.3.ln_1"), "h.*.ln_1");
  EXPECT_EQ(of_all_layers("h.12.mlp.gelu.dx"), "h.*.mlp.gelu.dx");
  EXPECT_EQ(of_all_layers("d h.0.attn"), "d h.*.attn");
  EXPECT_EQ(of_all_layers("wh.0.x"), "wh.0.x");
  EXPECT_EQ(of_all_layers("lm_head"), "lm_head");
}

TEST(Profile, OrEachIsOfItsOwn) {
  compiler::ModelShape model = cosim::tiny_model();
  model.layers = 2;
  Measured m(model, {.rows = 2, .cols = 2});
  const std::size_t kinds = by_kind(m.result).size();
  m.result.each_layer = true;
  EXPECT_LT(kinds, by_kind(m.result).size());
  EXPECT_EQ(by_kind(m.result).size(), m.result.phases.size());
}

/// A phase of 100 cycles on one tile, with all stall reasons of main given; psum sleeps.
Sum phase_of(std::vector<std::pair<StallReason, std::uint32_t>> main, std::uint64_t valve = 0) {
  Phase phase;
  sim::StallRecord r{.end = 100};
  for (const auto& [reason, count] : main) r.counts[0][static_cast<std::size_t>(reason)] = count;
  r.counts[1][static_cast<std::size_t>(StallReason::Asleep)] = 100;
  phase.tiles.push_back(r);
  phase.valves.push_back({.messages = valve, .begin = 0, .end = 100});
  Sum sum;
  sum.add(phase);
  return sum;
}

TEST(Bound, IsSaidInWords) {
  EXPECT_EQ(bound(phase_of({{StallReason::Issued, 95}, {StallReason::Weight, 5}})),
            "vector unit 95 % busy, 95 % in the busiest tile");
  EXPECT_EQ(bound(phase_of({{StallReason::Issued, 40}, {StallReason::Weight, 60}}, 97)),
            "weights: the valve delivers 1 a cycle and is busy 97 %");
  EXPECT_EQ(bound(phase_of({{StallReason::Issued, 40}, {StallReason::Weight, 60}}, 50)),
            "weights: main waits 60 %, the valve is busy 50 %");
  EXPECT_EQ(bound(phase_of({{StallReason::Issued, 40}, {StallReason::Hazard, 60}})),
            "latency: a beat needs the one before, 60 %");
  EXPECT_EQ(bound(phase_of({{StallReason::Issued, 80}, {StallReason::Table, 20}})),
            "vector unit 80 % busy; main waits 20 %: table");
  Sum sum = phase_of({{StallReason::Issued, 20}, {StallReason::Join, 80}});
  sum.counts[1] = {};
  sum.counts[1][static_cast<std::size_t>(StallReason::Psum)] = 70;
  sum.counts[1][static_cast<std::size_t>(StallReason::Issued)] = 10;
  EXPECT_EQ(bound(sum), "partial sums: a link brings 1 word a cycle, 70 % (main waits 80 %)");
}

TEST(Roofline, IsTheLowerOfTwoCeilings) {
  const Roofline roof{.lanes = 64, .valves = 2, .points = {}};
  EXPECT_EQ(roof.ceiling(8), 16);
  EXPECT_EQ(roof.ceiling(1000), 64);
}

TEST(Roofline, NoPhaseIsAboveIt) {
  const Measured m(cosim::tiny_model(), {.rows = 2, .cols = 2});
  const Roofline roof = roofline(m.result);
  EXPECT_GT(roof.points.size(), 10u);
  for (const RooflinePoint& point : roof.points) EXPECT_LE(point.rate, roof.lanes) << point.name;
}

/// The whole command for a configuration, as a user calls it.
void whole_command(const std::string& name) {
  test::TemporaryFolder folder;
  const config::Config config =
      config::load_config(std::string(WEFT_CONFIGS) + "/" + name, {{"runconfig.model_dir", folder / "none"}});
  std::ostringstream out;
  ASSERT_EQ(profile_command(config, {{"json", folder / "p.json"}, {"perfetto", folder / "p.trace"}}, false, out), 0);
  const nlohmann::json json = nlohmann::json::parse(std::ifstream(folder / "p.json"));
  std::uint64_t tile_cycles = 0;
  for (const auto& phase : json["phases"]) {
    ASSERT_EQ(phase["tiles"].size(), config.wafer.rows * config.wafer.cols);
    for (const auto& tile : phase["tiles"]) {
      for (const char* thread : {"main", "psum"}) {
        std::uint64_t sum = 0;
        for (const auto& [reason, count] : tile[thread].items()) sum += count.get<std::uint64_t>();
        ASSERT_EQ(sum, tile["cycles"]) << phase["name"];
      }
      tile_cycles += tile["cycles"].get<std::uint64_t>();
    }
  }
  EXPECT_EQ(json["total"]["tile_cycles"], tile_cycles);
  const std::string text = out.str();
  for (const auto& kind : json["kinds"]) {
    EXPECT_NE(text.find(kind["name"].get<std::string>()), std::string::npos);
    EXPECT_NE(text.find(kind["bound"].get<std::string>()), std::string::npos);
  }
  for (int i = 0; i < 3; ++i) EXPECT_NE(text.find(json["losses"][i]["words"].get<std::string>()), std::string::npos);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);  // no colors in a file
  EXPECT_GT(nlohmann::json::parse(std::ifstream(folder / "p.trace"))["traceEvents"].size(), 1000u);
  EXPECT_NO_THROW(
      system::guard_overwrite(folder / "p.json", "{\n \"config\": "));  // the next profile replaces both files
  EXPECT_NO_THROW(system::guard_overwrite(folder / "p.trace", kPerfettoBegin));
}

TEST(ProfileCommand, RefusesAFileThatCannotBeWrittenBeforeItRuns) {
  test::TemporaryFolder folder;
  const config::Config config =
      config::load_config(std::string(WEFT_CONFIGS) + "/gpt_tiny.yaml", {{"runconfig.model_dir", folder / "none"}});
  for (const char* name : {"json", "perfetto"}) {
    std::ostringstream out;
    EXPECT_THROW(profile_command(config, {{name, folder / "no/where"}}, false, out), Refusal);
    const std::string other = folder.write("mine.yaml", "model:\n  hidden_size: 64\n");
    EXPECT_THROW(profile_command(config, {{name, other}}, false, out), Refusal);
    EXPECT_EQ(test::file_text(other), "model:\n  hidden_size: 64\n");
    EXPECT_EQ(out.str(), "");
  }
}

/// A protobuf file is a trace of an earlier version, and may be replaced; the command then fails at its next option.
TEST(ProfileCommand, ReplacesATraceOfAnEarlierVersion) {
  test::TemporaryFolder folder;
  const config::Config config =
      config::load_config(std::string(WEFT_CONFIGS) + "/gpt_tiny.yaml", {{"runconfig.model_dir", folder / "none"}});
  const std::string old = folder.write("p.trace", std::string(kOldPerfettoOffset, '\x01') + "MemoryX and more");
  std::ostringstream out;
  try {
    profile_command(config, {{"perfetto", old}, {"layers", "maybe"}}, false, out);
    FAIL() << "layers is yes or no";
  } catch (const Refusal& refusal) {
    EXPECT_EQ(refusal.subject(), "--layers");
  }
}

TEST(ProfileCommand, PrintsWhereTheCyclesOfGptTinyGo) { whole_command("gpt_tiny.yaml"); }
TEST(ProfileCommandLong, PrintsWhereTheCyclesOfGptSmallGo) { whole_command("gpt_small.yaml"); }

}  // namespace
}  // namespace weft::inspect::profile
