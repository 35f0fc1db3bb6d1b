/// Stall reasons and waveforms of runs; linked with the RTL that counts stalls.
#include <filesystem>
#include <fstream>

#include "sw/base/bf16.hpp"
#include "tests/programs/example.hpp"
#include "tests/temporary_folder.hpp"

namespace weft::programs {
namespace {

/// Columns but the last send `n` words east, slowly: their neighbours wait.
constexpr const char* kSlow = R"(
.kernel main n=r1
        mvp   r1, r1
        fork  p
        halt
.routine p n=r1
        csrr  r2, COL
        beq   r2, r0, send
take:   rcv   r3, east
        dbnz  n, take
        halt
send:   li    r4, 20
slow:   dbnz  r4, slow
        snd   east, r1
        dbnz  n, send
        halt
)";

TEST(ProgramInspection, CountsTheCyclesOfEachTileByStallReason) {
  Session wafer(mesh(2, 2), Backend{.name = "rtl", .inspect = true});
  wafer.load(layout_of(kSlow, {shift("east", 0, 1)}));
  EXPECT_TRUE(wafer.measured().empty());
  const auto counts = wafer.run("main", {{"n", 10}}, true);
  ASSERT_TRUE(counts);
  ASSERT_EQ(wafer.measured().size(), 1U);
  const MeasuredRun& run = wafer.measured()[0];
  EXPECT_EQ(run.kernel, "main");
  ASSERT_EQ(run.tiles.size(), 4U);
  for (std::size_t t = 0; t < 4; ++t) {
    const sim::StallRecord& tile = run.tiles[t];
    EXPECT_EQ(tile.row * 2 + tile.col, static_cast<int>(t));
    EXPECT_GE(tile.cycles() + 4, counts->cycles);
    for (int thread = 0; thread < sim::kThreads; ++thread) {
      std::uint64_t sum = 0;
      for (unsigned reason = 0; reason < sim::kStallReasons; ++reason)
        sum += tile.count(thread, static_cast<isa::StallReason>(reason));
      EXPECT_EQ(sum, tile.cycles());
    }
    // The last column waits for words; the first one runs its loop.
    const bool waits = tile.count(1, isa::StallReason::Psum) > tile.cycles() / 2;
    EXPECT_EQ(waits, tile.col == 1);
  }
  EXPECT_EQ(run.valve.messages, counts->messages);
  const Session plain(mesh(2, 2), "model", 1);
  EXPECT_EQ(refusal_of([&] { plain.measured(); }),
            "inspect: this wafer does not count stalls. HINT: create it with inspect.");
  EXPECT_EQ(refusal_of([] { Session(mesh(1, 1), Backend{.name = "model", .inspect = true}); }),
            "inspect: the functional model has no cycles. HINT: use the backend rtl.");
}

TEST(ProgramInspection, ChangesNoCycleOfARun) {
  std::vector<std::uint64_t> cycles;
  for (const bool inspect : {false, true}) {
    Session wafer(mesh(2, 2), Backend{.name = "rtl", .inspect = inspect});
    wafer.load(layout_of(kSlow, {shift("east", 0, 1)}));
    cycles.push_back(wafer.run("main", {{"n", 10}}, true)->cycles);
  }
  EXPECT_EQ(cycles[0], cycles[1]);
}

TEST(ProgramInspection, TracesTheNextRunAlsoIfItHangs) {
  const test::TemporaryFolder folder;
  const auto file = [&](const std::string& name) { return (folder.path() / "new" / name).string(); };
  Session wafer(mesh(2, 2), "rtl", 1);
  wafer.load(layout_of(kSlow, {shift("east", 0, 1)}));
  wafer.waves(file("run.fst"), "0-1,0", "");
  ASSERT_TRUE(wafer.run("main", {{"n", 3}}, true));
  EXPECT_GT(std::filesystem::file_size(file("run.fst")), 500U);
  std::ifstream words(file("run.words"));
  const std::string names{std::istreambuf_iterator<char>(words), {}};
  EXPECT_NE(names.find("kernel 0 main"), std::string::npos) << names;
  ASSERT_TRUE(wafer.run("main", {{"n", 3}}, true));  // is not traced
  wafer.waves(file("late.fst"), "all", "100000-");
  EXPECT_EQ(refusal_of([&] {
              wafer.run("main", {{"n", 3}}, true);
            }),
            "waves: the run ended before the cycles to be traced. HINT: name cycles within the run.");
  EXPECT_FALSE(std::filesystem::exists(file("late.fst")));

  wafer.load(layout_of(".kernel main\n fork p\n halt\np: csrr r1, COL\n beq r1, r0, q\n rcv r2, east\nq: halt\n "
                       "snd east, r1\n",
                       {shift("east", 0, 1)}),
             false);
  wafer.waves(file("hang.fst"), "0,1", "");
  EXPECT_TRUE(refusal_of([&] { wafer.run("main", {}, false); }).starts_with("kernel main: the wafer hangs"));
  EXPECT_TRUE(std::filesystem::exists(file("hang.gtkw")));
}

TEST(ProgramInspection, RefusesWavesThatCannotBe) {
  Session wafer(mesh(2, 2), "rtl", 1);
  EXPECT_EQ(refusal_of([&] { wafer.waves("x.fst", "all", ""); }), "wafer: no layout is loaded. HINT: load one.");
  Layout layout = layout_of(kSlow, {shift("east", 0, 1)});
  layout.programs[0].region = {0, 0, 1, 2};
  layout.streams[0].region = {0, 0, 1, 2};
  layout.programs.push_back({"other.s", ".kernel other\n halt\n", {}, {1, 0, 1, 2}});
  wafer.load(layout);
  EXPECT_EQ(refusal_of([&] { wafer.waves("x.vcd", "all", ""); }),
            "waves: x.vcd does not end in .fst. HINT: name the trace, as out/run.fst.");
  EXPECT_EQ(refusal_of([&] { wafer.waves("x.fst", "2,0", ""); }),
            "waves: 2,0: row 2 does not exist. HINT: rows are 0 to 1.");
  EXPECT_EQ(refusal_of([&] { wafer.waves("x.fst", "0,0", "9-3"); }),
            "waves: 9-3 is not a window. HINT: write FROM-TO, e.g. 100-400, or FROM-.");
  EXPECT_EQ(refusal_of([&] { wafer.waves("x.fst", "all", ""); }),
            "waves: the tiles all run several programs, and a trace has the names of one. HINT: trace the tiles of "
            "each program in a run of its own.");
  EXPECT_EQ(refusal_of([&] { Session(mesh(1, 1), "model", 1).waves("x.fst", "all", ""); }),
            "waves: only simulated RTL can be traced. HINT: use the backend rtl.");
}

}  // namespace
}  // namespace weft::programs
