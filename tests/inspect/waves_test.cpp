/// `weft waves`: the trace has the actual signals; GTKWave displays it.
#include "host/inspect/waves.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "host/config/file/load.hpp"
#include "sw/base/refusal.hpp"
#include "tests/inspect/phases.hpp"
#include "tests/trace/read_fst.hpp"

namespace weft::inspect {
namespace {

namespace fs = std::filesystem;

/// A folder for this test only, since tests run in parallel.
fs::path folder(const char* name) {
  return fs::path(testing::TempDir()) / "waves" / testing::UnitTest::GetInstance()->current_test_info()->name() / name;
}

config::Config tiny(const std::vector<config::Override>& more = {}) {
  std::vector<config::Override> overrides = {{"runconfig.model_dir", folder("none").string()}};
  overrides.insert(overrides.end(), more.begin(), more.end());
  return config::load_config(std::string(WEFT_CONFIGS) + "/gpt_tiny.yaml", overrides);
}

std::string bits(const machine::Message& m) {
  std::string text = (m.ctrl ? "1" : "0") + std::string(5, '0');
  for (int b = 31; b >= 0; --b) text += static_cast<char>('0' + (m.data >> b & 1));
  return text;
}

TEST(Waves, MessagesOfATileAreThoseOfTheStream) {
  const std::string phase = "h.0.attn.c_attn.q";
  std::ostringstream out;
  ASSERT_EQ(waves(tiny(), {{"phase", phase}, {"tile", "2,1"}, {"out", folder("stream").string()}}, out), 0)
      << out.str();
  const trace::FstContent content = trace::read_fst((folder("stream") / ("step1." + phase + ".fst")).string());

  Phases here("gpt_tiny.yaml");
  std::vector<machine::Message> messages;
  for (std::size_t n = 0; n <= find_phase(here.plan, phase); ++n)
    compiler::expand(here.plan.ops[n], here.memoryx.store().weights(), messages);
  std::vector<std::string> row;  // messages for row 2
  for (const machine::Message& m : messages)
    if (m.ctrl || m.data >> 16 >> here.plan.wafer.row_shift() == 2) row.push_back(bits(m));
  EXPECT_EQ(content.values("tile_2_1.west.in_W"), row);
  EXPECT_EQ(content.values("tile_2_1.east.out_W"), row);
  EXPECT_EQ(content.values("tile_2_1.ramp.to_pe_W"), row);
  // One word of a sum for each token of the column and each output, on its way through row 2: not all sums start or end
  // there.
  const std::size_t sums = content.values("tile_2_1.words.ramp_from_pe_RING").size();
  EXPECT_EQ(sums % here.plan.tokens_per_column, 0u);
  EXPECT_GT(sums, 0u);
  EXPECT_TRUE(content.values("tile_2_1.words.ramp_from_pe_RING").front().starts_with("PSUM "));
  EXPECT_TRUE(content.values("tile_2_1.call").back().starts_with("-"));
}

TEST(Waves, AWindowIsAPartOfTheWholeAndKnowsWhatRuns) {
  const auto run = [&](const char* where, const std::string& cycles) {
    std::ostringstream out;
    config::Options options = {{"phase", "h.0.attn.c_attn.q"}, {"tile", "2,1"}, {"out", folder(where).string()}};
    if (!cycles.empty()) options["cycles"] = cycles;
    EXPECT_EQ(waves(tiny(), options, out), 0) << out.str();
    return trace::read_fst((folder(where) / "step1.h.0.attn.c_attn.q.fst").string());
  };
  const trace::FstContent all = run("all", ""), part = run("part", "1000-1100");
  // The value of a signal in a cycle.
  const auto at = [](const trace::FstContent& c, const std::string& name, std::uint64_t cycle) {
    std::string value;
    for (const auto& [time, v] : c.signals.at(name))
      if (time <= cycle) value = v;
    return value;
  };
  for (const auto& [name, values] : part.signals) {
    if (name == "phase") continue;
    for (const std::uint64_t cycle : {1000, 1001, 1037, 1099})
      EXPECT_EQ(at(part, name, cycle), at(all, name, cycle)) << name << cycle;
  }
}

TEST(Waves, TheCommandThatOpensAFolderWithBlanksCanBeTyped) {
  std::ostringstream out;
  ASSERT_EQ(waves(tiny(), {{"phase", "h.0.ln_1"}, {"out", folder("it's here").string()}}, out), 0);
  const std::string text = out.str(), open = "open    gtkwave ";
  const std::size_t at = text.find(open);
  ASSERT_NE(at, std::string::npos) << text;
  const std::string typed = text.substr(at + open.size(), text.find('\n', at) - at - open.size());
  EXPECT_EQ(std::system(("test -f " + typed).c_str()), 0) << typed;
}

TEST(Waves, AFileIsSmall) {
  for (const char* phase : {"lm_head", "h.0.attn.dx", "h.0.attn.c_attn.dw"}) {
    std::ostringstream out;
    ASSERT_EQ(waves(tiny(), {{"phase", phase}, {"tile", "2,1"}, {"out", folder("small").string()}}, out), 0);
    EXPECT_LE(fs::file_size(folder("small") / (std::string("step1.") + phase + ".fst")), 2u << 20) << phase;
  }
}

TEST(Waves, BadOptionsAreRefusedBeforeAnythingIsDone) {
  const fs::path out_folder = folder("refused");
  for (const config::Options& bad :
       {config::Options{}, config::Options{{"phase", "nonsense"}}, config::Options{{"phase", "loss"}, {"tile", "9,9"}},
        config::Options{{"phase", "loss"}, {"step", "0"}}, config::Options{{"phase", "loss"}, {"wafer", "99"}},
        config::Options{{"phase", "loss"}, {"cycles", "9-1"}}, config::Options{{"phase", "loss"}, {"step", "two"}},
        config::Options{{"phase", "loss"}, {"out", "/dev/null/x"}}}) {
    std::ostringstream out;
    config::Options options = bad;
    options.try_emplace("out", out_folder.string());
    EXPECT_THROW(waves(tiny(), options, out), Refusal);
  }
  EXPECT_FALSE(fs::exists(out_folder / "step1.loss.fst"));
}

/// The view as GTKWave itself renders it, without a display.
class Viewer : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("command -v gtkwave xvfb-run xauth ps2pdf pdftotext >/dev/null 2>&1") != 0)
      GTEST_SKIP() << "no GTKWave here: scripts/setup picture installs it";
    std::ostringstream out;
    const config::Options options = {
        {"phase", "h.0.attn.c_attn.q"}, {"tile", "2,1"}, {"cycles", "1036-1060"}, {"out", folder("view").string()}};
    ASSERT_EQ(waves(tiny(), options, out), 0) << out.str();
  }
  static std::string shell(const std::string& command) {
    std::string text;
    FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
    for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += static_cast<char>(c);
    return ::pclose(pipe) == 0 ? text : "FAILED: " + text;
  }
  const std::string view = (folder("view") / "step1.h.0.attn.c_attn.q.gtkw").string();
  const std::string trace = (folder("view") / "step1.h.0.attn.c_attn.q.fst").string();
};

TEST_F(Viewer, ItsPageHasTheWords) {
  const std::string page = (folder("view") / "page.pdf").string();
  ASSERT_EQ(shell(std::string(WEFT_SHOW_WAVES) + " " + view + " " + page), "picture " + page + "\n");
  const std::string text = shell("pdftotext -layout " + page + " -");
  for (const char* words :
       {"tile 2,1", "PSUM", "gemm x=", "vaxs R[r5], M[r1]", "gemm.s:", "vs.", "main", "waits_for_unit"})
    EXPECT_NE(text.find(words), std::string::npos) << words << "\n" << text;
}

TEST_F(Viewer, LoadsTheViewInSilence) {
  const std::string script = (folder("view") / "quit.tcl").string();
  std::ofstream(script) << "puts [gtkwave::getTotalNumTraces]\ngtkwave::/File/Quit\n";
  const std::string said = shell("timeout 100 xvfb-run -a gtkwave -f " + trace + " -a " + view + " -S " + script);
  for (const char* bad : {"WARN", "Warn", "warn", "ERROR", "rror:", "not found", "No such", "FAILED", "is not a kind"})
    EXPECT_EQ(said.find(bad), std::string::npos) << said;
}

/// A trace is written on one machine and viewed on another: the folder is self-contained.
TEST_F(Viewer, AFolderThatWasMovedOpensFromAnywhereWithAllItsWords) {
  const fs::path moved = folder("moved to another place");
  fs::remove_all(moved);
  fs::rename(folder("view"), moved);
  const std::string name = "step1.h.0.attn.c_attn.q";
  for (const auto& entry : fs::directory_iterator(moved)) {
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    EXPECT_EQ(text.find(folder("view").parent_path().string()), std::string::npos) << entry.path();
    EXPECT_EQ(text.find("weft-words"), std::string::npos) << entry.path();
  }
  // GTKWave passes the page's name to ps2pdf without quotes, so it must contain no blank.
  const std::string script = (moved / "print.tcl").string(), page = (moved.parent_path() / "page.pdf").string();
  std::ofstream(script) << "gtkwave::/File/Print_To_File PDF {Letter (8.5\" x 11\")} Full {" << page
                        << "}\ngtkwave::/File/Quit\n";
  const std::string said = shell("cd / && timeout 100 xvfb-run -a -s '-screen 0 2560x1600x24' gtkwave '" +
                                 (moved / (name + ".gtkw")).string() + "' -S '" + script + "'");
  const std::string text = shell("pdftotext -layout '" + page + "' -");
  for (const char* words : {"tile 2,1", "PSUM", "gemm x=", "vaxs R[r5], M[r1]"})
    EXPECT_NE(text.find(words), std::string::npos) << words << "\n" << said << text;
}

TEST_F(Viewer, ThePictureIsNotBlankAndHasWordsInTheirHues) {
  const std::string picture = (folder("view") / "p.png").string();
  ASSERT_EQ(shell(std::string(WEFT_SHOW_WAVES) + " " + view + " " + picture), "picture " + picture + "\n");
  std::istringstream colors(shell("python3 " WEFT_PIXELS " " + picture));
  std::map<std::array<int, 3>, int> pixels;
  for (int n = 0, r = 0, g = 0, b = 0; colors >> n >> r >> g >> b;) pixels[{r, g, b}] = n;
  EXPECT_GT(pixels.size(), 20u);
  EXPECT_GT((pixels[{0xd2, 0x69, 0x1e}]), 500) << "Chocolate, of sums on RING";
}

}  // namespace
}  // namespace weft::inspect
