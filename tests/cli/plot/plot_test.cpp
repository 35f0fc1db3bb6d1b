#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>

#include "host/cli/plot/curves.hpp"
#include "host/cli/plot/drawings.hpp"
#include "host/cli/plot/plot_command.hpp"
#include "sw/base/refusal.hpp"
#include "tests/says.hpp"
#include "tests/temporary_folder.hpp"

namespace weft::cli {
namespace {

class Plot : public testing::Test {
 protected:
  /// Lines of ten steps, with evaluations in steps 5 and 10; step 3 diverged.
  static std::string lines() {
    std::string text;
    for (int step = 1; step <= 10; ++step) {
      const std::string loss = step == 3 ? "null" : std::to_string(5.0 - 0.25 * step);
      const std::string eval = step % 5 == 0 ? ", \"eval_loss\": " + std::to_string(5.5 - 0.25 * step) : "";
      text += "{\"step\": " + std::to_string(step) + ", \"loss\": " + loss + eval + "}\n";
    }
    return text;
  }
  std::string refusal(const config::Options& options) const {
    try {
      std::ostringstream out;
      plot_command(options, out);
    } catch (const Refusal& refusal) {
      return refusal.what();
    }
    return "nothing";
  }

  test::TemporaryFolder folder_;
};

TEST_F(Plot, CurvesAreThoseOfTheFileWithoutStepsThatDiverged) {
  const std::string file = folder_.write("metrics.jsonl", lines() + "{\"step\": 11, \"lo");
  for (const std::string& path : {file, folder_.path().string()}) {
    const std::vector<Curve> curves = read_curves(path);
    ASSERT_EQ(curves.size(), 2U);
    EXPECT_EQ(curves[0].name, "train loss");
    EXPECT_EQ(curves[0].points.size(), 9U);
    EXPECT_EQ(curves[0].points.back(), std::pair(10.0, 2.5));
    EXPECT_EQ(curves[1].points, (std::vector<std::pair<double, double>>{{5, 4.25}, {10, 3}}));
  }
}

TEST_F(Plot, ThinnedPointsAreMeans) {
  const Curve curve{"x", {{1, 10}, {2, 20}, {3, 60}, {4, 40}, {5, 7}}};
  EXPECT_EQ(thinned(curve, 5).points, curve.points);
  EXPECT_EQ(thinned(curve, 3).points, (std::vector<std::pair<double, double>>{{1.5, 15}, {3.5, 50}, {5, 7}}));
}

TEST_F(Plot, TicksAreRoundNumbers) {
  EXPECT_EQ(ticks(0, 100, 5), (std::vector<double>{0, 20, 40, 60, 80, 100}));
  EXPECT_EQ(ticks(1, 20, 8), (std::vector<double>{5, 10, 15, 20}));
}

TEST_F(Plot, AFallingCurveGoesFromTopLeftToBottomRight) {
  const std::vector<Curve> curves = {{"train loss", {{1, 4}, {2, 3}, {3, 2}, {4, 1}}}, {"eval loss", {{2, 4}}}};
  EXPECT_EQ(as_text(curves, 32, 4, false),
            "  4.0000 |****   o\n"
            "         |    *******\n"
            "         |           *******\n"
            "  1.0000 |                  ****\n"
            "         +----------------------\n"
            "          1              4 steps\n"
            "          * train loss   o eval loss\n");
  const std::string braille = as_text(curves, 32, 4, true);
  EXPECT_SAYS(braille, "  4.0000 \u2502\u2809");
  EXPECT_SAYS(braille, "\u2514\u2500");
}

TEST_F(Plot, OnePointAndALevelCurveAreDrawn) {
  EXPECT_SAYS(as_text({{"train loss", {{7, 2}}}}, 80, 5, false), "*");
  EXPECT_SAYS(as_text({{"train loss", {{1, 2}, {2, 2}}}}, 80, 5, false), "*****");
}

TEST_F(Plot, TheCommandDrawsTwoRunsAndAPicture) {
  folder_.write("a/metrics.jsonl", lines());
  folder_.write("b/metrics.jsonl", lines());
  const std::string svg = folder_ / "loss.svg";
  std::ostringstream out;
  for (int twice = 0; twice < 2; ++twice)
    EXPECT_EQ(plot_command({{"run", folder_ / "a"}, {"other", folder_ / "b"}, {"svg", svg}, {"ascii", ""}}, out), 0);
  EXPECT_SAYS(out.str(), "* train loss   o eval loss   x other train loss   v other eval loss\n");
  EXPECT_SAYS(out.str(), "train loss from 4.7500 to 2.5000, lowest 2.5000 at step 10\n");
  for (const char c : out.str()) EXPECT_TRUE((c >= ' ' && c <= '~') || c == '\n');
  const std::string picture = test::file_text(svg);
  EXPECT_TRUE(picture.starts_with(kSvgStart)) << picture;
  EXPECT_SAYS(picture, ">other eval loss</text>");
  std::size_t curves = 0;
  for (std::size_t at = 0; (at = picture.find("<polyline", at)) != std::string::npos; ++at) ++curves;
  EXPECT_EQ(curves, 4U);
}

TEST_F(Plot, BadInputIsRefused) {
  EXPECT_SAYS(refusal({}), "RUN: missing. HINT: ");
  EXPECT_SAYS(refusal({{"run", folder_ / "nowhere"}}), "nowhere: does not exist. HINT: name the folder of a run");
  EXPECT_SAYS(refusal({{"run", folder_.path().string()}}), "metrics.jsonl: does not exist: no run has trained");
  EXPECT_SAYS(refusal({{"run", folder_.write("a.yaml", "model:\n")}}),
              "a.yaml:1: does not record a training step. HINT: ");
  EXPECT_SAYS(refusal({{"run", folder_.write("empty", "")}}), "empty: has no step with a loss. HINT: ");
  folder_.write("metrics.jsonl", lines());
  EXPECT_SAYS(refusal({{"run", folder_.path().string()}, {"svg", folder_.write("notes.txt", "mine")}}),
              "notes.txt: exists with other content, which would be lost");
}

}  // namespace
}  // namespace weft::cli
