/// Core dumps in the debugger.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "host/inspect/debug/core_command.hpp"
#include "sw/base/refusal.hpp"
#include "sw/deadlock/report.hpp"
#include "tests/inspect/hung.hpp"

namespace weft::inspect::debug {
namespace {

struct Printed {
  int code = 0;
  std::string text;
};

Printed by_script(const std::string& core, const std::string& script, const std::string& lines) {
  std::ofstream(script) << lines;
  std::istringstream in;
  std::ostringstream out;
  const int code = debug_core({{"core", core}, {"script", script}}, in, false, out);
  return {code, out.str()};
}

TEST(DebugCore, ShowsTheRegistersAndMemoryAtTheRootCause) {
  for (const bool rtl : {false, true}) {
    const HungRun hung(rtl);
    ASSERT_FALSE(hung.hang_snapshot.tiles.empty());
    const std::string report = deadlock::report(hung.hang_snapshot, &hung.tiny.plan.program);
    int row = -1, col = -1;
    ASSERT_EQ(std::sscanf(report.c_str(), "root cause: tile (%d,%d)", &row, &col), 2) << report;
    const Printed all =
        by_script(hung.file(), hung.folder / "script",
                  "tile " + std::to_string(row) + "," + std::to_string(col) +
                      "\nwhere\ninfo registers\nprint r1\nprint residual[1][0:4]/x\nprint x[0][0:2]/x\n"
                      "info streams\ninfo routes\ninfo symbols\ninfo flags\ninfo handoffs\nlist\nreport\n");
    EXPECT_EQ(all.code, 0) << all.text;
    const auto has = [&](const std::string& part) {
      EXPECT_NE(all.text.find(part), std::string::npos) << all.text << "has no " << part;
    };
    has(report);
    const machine::TileState& state = hung.hang_snapshot.tile(row, col).state;
    has("main r1=" + std::to_string(state.main.registers[1]) + " r2=" + std::to_string(state.main.registers[2]));
    has("psum r1=" + std::to_string(state.psum.registers[1]));
    const compiler::ArraySymbol& residual = *compiler::find_symbol(hung.tiny.plan.arrays, "residual");
    std::string values;
    for (int k = 0; k < 4; ++k)
      values += fmt::format(" {:#06x}", state.memory[static_cast<std::size_t>(residual.address + residual.width + k)]);
    has("residual[1][0:4] = ");
    has(":4]" + values);
    const unsigned x = state.main.registers[1];
    has(fmt::format("M[{:#x}:2] {:#06x} {:#06x}", x, state.memory[x], state.memory[x + 1]));
    has("waits for W");
    has("RING from S -> RAMP");
    has(rtl ? "rtl hung in cycle" : "model hung");
    has(std::string("wafer 0, step 5, the host at ") + kPhase);
    const Printed credits = by_script(hung.file(), hung.folder / "script", "info credits\n");
    EXPECT_EQ(credits.code, rtl ? 0 : 1);
    EXPECT_NE(credits.text.find(rtl ? "RING: N 4 E" : "no credits. HINT: "), std::string::npos) << credits.text;
  }
}

TEST(DebugCore, DoesNotRun) {
  const HungRun hung(false);
  for (const char* line : {"step", "beat", "cycle 3", "move", "continue", "back", "goto 5", "break gemm_output"}) {
    const Printed printed = by_script(hung.file(), hung.folder / "script", std::string(line) + "\n");
    EXPECT_EQ(printed.code, 1);
    EXPECT_NE(
        printed.text.find("is a core dump, which cannot run. HINT: run the phase that the host had begun: weft "
                          "debug --params tiny.yaml --backend model --step 5 --wafer 1 --phase h.0.attn.c_attn.q"),
        std::string::npos)
        << line << ": " << printed.text;
  }
}

/// A wrong command line or file is rejected with a hint, and accepted once the hint is followed.
TEST(DebugCore, HintsHelp) {
  const HungRun hung(false);
  const std::string core = hung.file(), script = hung.folder / "script", copy = hung.folder / "copy.weftcore";
  const auto said = [](const config::Options& options) -> std::string {
    std::istringstream in;
    std::ostringstream out;
    try {
      return debug_core(options, in, false, out) == 0 ? out.str() : "";
    } catch (const Refusal& refusal) {
      return refusal.what();
    }
  };
  const auto helps = [&](const config::Options& wrong, const std::string& hint, const config::Options& right) {
    const std::string problem = said(wrong);
    EXPECT_TRUE(problem.ends_with("HINT: " + hint + ".")) << problem;
    const std::string accepted = said(right);
    EXPECT_TRUE(!accepted.empty() && accepted.find("HINT: ") == std::string::npos) << hint << ": " << accepted;
  };
  const config::Options right = {{"core", core}};
  std::ofstream(script) << "tile 1,1\nwhere\n";
  helps({}, "name the .weftcore that a run has written: weft debug FILE.weftcore", right);
  helps({{"core", core}, {"phase", kPhase}}, "leave it out, since a core dump cannot run", right);
  helps({{"core", core}, {"tile", "1,1"}, {"script", script}}, "write tile R,C into the script",
        {{"core", core}, {"script", script}});
  helps({{"core", core}, {"tile", "1"}}, "write row and column, e.g. --tile 2,1", {{"core", core}, {"tile", "2,1"}});
  helps({{"core", core}, {"tile", "9,9"}}, "rows are 0 to 3, columns 0 to 3", {{"core", core}, {"tile", "3,3"}});
  std::ofstream(copy) << "no core dump";
  helps({{"core", copy}}, "name a .weftcore that a run has written", right);
  std::filesystem::copy_file(core, copy, std::filesystem::copy_options::overwrite_existing);
  std::filesystem::resize_file(copy, 1000);
  helps({{"core", copy}}, "take another copy, or let the run hang again", right);
}

TEST(DebugCore, TakesOnlyWhatItCanDo) {
  const HungRun hung(false);
  std::istringstream in;
  std::ostringstream out;
  EXPECT_THROW(debug_core({}, in, false, out), Refusal);
  try {
    debug_core({{"core", "mine.py"}}, in, false, out);
    ADD_FAILURE() << "a program of Python is no core dump";
  } catch (const Refusal& refusal) {
    EXPECT_EQ(refusal.hint(), "python3 -m weft.debug mine.py opens the debugger before runs of its wafers");
  }
  for (const auto& [name, value] : config::Options{
           {"phase", kPhase}, {"step", "1"}, {"wafer", "0"}, {"tile", "1"}, {"tile", "9,9"}, {"script", "/no/such"}})
    EXPECT_THROW(debug_core({{"core", hung.file()}, {name, value}}, in, false, out), Refusal) << name;
  EXPECT_EQ(debug_core({{"core", hung.file()}, {"tile", "1,1"}}, in, false, out), 0);
  EXPECT_NE(out.str().find("tile (1,1)\nmain: at "), std::string::npos) << out.str();
}

}  // namespace
}  // namespace weft::inspect::debug
