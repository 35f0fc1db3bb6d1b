/// Final output of the benchmarks.
#include "bench/print.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace weft::bench {
namespace {

struct Verdict {
  std::string text;
  bool all = false;
};

Verdict verdict_after(void (*benchmark)()) {
  testing::internal::CaptureStdout();
  benchmark();
  Verdict result;
  result.all = verdict();
  std::fflush(stdout);
  result.text = testing::internal::GetCapturedStdout();
  return result;
}

/// A single test, because goals are counted for the lifetime of the program.
TEST(BenchPrint, TheLastLineCountsGoalsAndAMissedOneIsAFailure) {
  const Verdict none = verdict_after([] { fact("speed", 3, "steps/s"); });
  EXPECT_TRUE(none.all);
  EXPECT_TRUE(none.text.ends_with("\ngoals: 0 reached, 0 missed\n")) << none.text;
  const Verdict reached = verdict_after([] {
    goal("speed", 3, "steps/s", 3);
    limit("time", 3, "s", 3);
  });
  EXPECT_TRUE(reached.all);
  EXPECT_TRUE(reached.text.ends_with("\ngoals: 2 reached, 0 missed\n")) << reached.text;
  const Verdict missed = verdict_after([] {
    goal("speed", 2.9, "steps/s", 3);
    limit("time", 3, "s", 4);
  });
  EXPECT_FALSE(missed.all);
  EXPECT_TRUE(missed.text.ends_with("\ngoals: 3 reached, 1 missed\n")) << missed.text;
}

TEST(BenchPrintDeath, WriteErrorIsAFailure) {
  const auto print_to = [](const char* file) {
    if (std::freopen(file, "w", stdout) == nullptr) std::exit(2);
    fact("speed", 3, "steps/s");
    try {
      verdict();
    } catch (const std::runtime_error& error) {
      std::fprintf(stderr, "%s", error.what());
      std::exit(1);
    }
    std::exit(0);
  };
  EXPECT_EXIT(print_to("/dev/full"), testing::ExitedWithCode(1), "standard output cannot be written");
  EXPECT_EXIT(print_to("/dev/null"), testing::ExitedWithCode(0), "");
}

/// Each line is valid JSON, and nothing else is printed.
TEST(BenchPrint, InJsonEachValueIsAnObjectOfALine) {
  json(true);
  begin("speed");
  const Verdict verdict = verdict_after([] {
    heading("not here");
    text("nor this");
    count("cycles of a \"step\"", 123456789012345678, "cycles");
    fact("  a token", 0.1, "cycles");
    goal("FPU", 0.25, "", 0.5);
    point("a point", 2, "s");
  });
  json(false);
  EXPECT_EQ(verdict.text,
            R"({"bench":"speed","name":"cycles of a \"step\"","value":123456789012345678,"unit":"cycles"}
{"bench":"speed","name":"a token","value":0.1,"unit":"cycles"}
{"bench":"speed","name":"FPU","value":0.25,"unit":"","goal":0.5,"reached":false}
{"bench":"speed","name":"a point","value":2.0,"unit":"s"}
)");
  EXPECT_FALSE(verdict.all) << "a goal that was missed is one in JSON, too";
}

/// Rows of a table are objects, too; readers see the names of the columns once.
TEST(BenchPrint, ARowOfATableHasAValueForEachColumn) {
  const auto rows = [] {
    row("sizes", {{"width", 64}, {"times", 1.25}, {"name", "small"}, {"rtl", nullptr}});
    row("sizes", {{"width", 128}, {"times", 1234.5}, {"name", "large"}, {"rtl", true}});
    row("others", {{"width", 1}});
  };
  begin("speed");
  const std::string text = verdict_after(rows).text;
  const std::string expected =
      "\n      width      times  name                                    rtl\n"
      "         64       1.25  small                                     -\n"
      "        128       1234  large                                  true\n"
      "\n      width\n          1\n";
  EXPECT_EQ(text.substr(0, expected.size()), expected);
  const std::string lines = R"({"bench":"speed","table":"sizes","width":64,"times":1.25,"name":"small","rtl":null}
{"bench":"speed","table":"sizes","width":128,"times":1234.5,"name":"large","rtl":true}
{"bench":"speed","table":"others","width":1}
)";
  EXPECT_EQ(results(), lines) << "also without JSON";
  json(true);
  begin("speed");
  EXPECT_EQ(verdict_after(rows).text, lines);
  json(false);
  EXPECT_EQ(results(), lines);
  begin("another");
  EXPECT_EQ(results(), "");
}

}  // namespace
}  // namespace weft::bench
