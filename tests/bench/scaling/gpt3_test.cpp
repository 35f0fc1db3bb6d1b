/// The sizes of GPT-3 that `weft-bench predictions` estimates.
#include "bench/scaling/gpt3.hpp"

#include <gtest/gtest.h>

namespace weft::bench {
namespace {

TEST(Gpt3, HasTheSizesOfThePaper) {
  const std::vector<Gpt3Size> sizes = gpt3_sizes();
  ASSERT_EQ(sizes.size(), 8U);
  const double paper[] = {0.125, 0.350, 0.760, 1.3, 2.7, 6.7, 13, 175};  // billions
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const Gpt3Line line = gpt3_line(sizes[i], {.rows = 4, .cols = 4, .valves = 4});
    EXPECT_NEAR(static_cast<double>(line.parameters) / 1e9 / paper[i], 1, 0.03) << line.name;
    EXPECT_EQ(sizes[i].model.hidden % sizes[i].model.heads, 0) << line.name;
  }
}

/// All layers cost the same, so two stand for all of them if not all fit.
TEST(Gpt3, CountsLayersThatDoNotFitAsOftenAsThereAre) {
  Gpt3Size size{"x", {.vocab = 96, .hidden = 64, .layers = 40, .heads = 8, .filter = 256, .seq = 32}, 4};
  // The activations of 5 layers that the backward pass multiplies fit into the upper half, so that all layers take
  // equal time.
  const machine::WaferShape mesh{.rows = 8, .cols = 4, .sram_kib = 44};
  const Gpt3Line some = gpt3_line(size, mesh);
  EXPECT_NE(some.misfit.find("wafer.sram_kib: every PE needs "), std::string::npos) << some.misfit;
  EXPECT_EQ(some.layers, 2);
  size.model.layers = 5;
  const Gpt3Line all = gpt3_line(size, mesh);
  EXPECT_EQ(all.misfit, "");
  Gpt3Line again = all;
  size.model.layers = 4;
  const Gpt3Line fewer = gpt3_line(size, mesh);
  EXPECT_NEAR(some.cycles, fewer.cycles + 36 * (again.cycles - fewer.cycles), some.cycles / 1e4);
  EXPECT_NEAR(some.sent, fewer.sent + 36 * (again.sent - fewer.sent), 1);
}

}  // namespace
}  // namespace weft::bench
