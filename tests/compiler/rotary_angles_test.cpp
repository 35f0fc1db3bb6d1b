/// Frequencies of rotary positions, and the features that rotate together.
#include "sw/compiler/model/rotary_angles.hpp"

#include <gtest/gtest.h>

#include "sw/compiler/placement/spaces.hpp"

namespace weft::compiler {
namespace {

RotaryAngles scaled(const char* scaling, double theta, double factor) {
  RotaryAngles angles;
  angles.scaling = scaling, angles.theta = theta, angles.factor = factor;
  return angles;
}

void expect_frequencies(const RotaryAngles& angles, const std::vector<double>& expected) {
  const int rotated = 2 * static_cast<int>(expected.size());
  for (int pair = 0; pair < rotated / 2; ++pair) {
    const double is = expected[static_cast<std::size_t>(pair)];
    EXPECT_NEAR(rotary_frequency(angles, pair, rotated) / is, 1, 1e-6) << pair;
  }
}

/// The numbers of transformers 4.46 (modeling_rope_utils.py), which computes them in fp32.
TEST(RotaryAngles, HaveTheFrequenciesOfTransformers) {
  expect_frequencies(scaled("linear", 500000, 4),
                     {0.25, 0.04848068952560425, 0.009401507675647736, 0.001823166268877685, 0.0003535533614922315,
                      6.856204709038138e-05, 1.3295739336172119e-05, 2.578346311565838e-06});
  // LLaMA 3.1: four frequencies stay, one lies between the limits, three are divided by 8.
  expect_frequencies(scaled("llama3", 500000, 8),
                     {1.0, 0.193922758102417, 0.03760603070259094, 0.00729266507551074, 0.0005248460220173001,
                      3.428102354519069e-05, 6.647869668086059e-06, 1.289173155782919e-06});
  expect_frequencies(scaled("none", 10000, 8), {1.0, 0.1, 0.01, 0.001});
}

/// Six of eight features of a head rotate: 0 with 3, 1 with 4, 2 with 5. A pair shares a row, in neighbouring slots.
TEST(RotaryAngles, FeaturesOfAPairShareARow) {
  ModelShape model{.hidden = 16, .heads = 2, .rotary_dim = 6};
  using Slots = std::vector<int>;
  EXPECT_EQ(Spaces(model, 2).head.on_row(1), (Slots{8, 9, 10, 11, 12, 13, 14, 15}));
  model.rotary.layout = "halves";
  EXPECT_EQ(Spaces(model, 2).head.on_row(0), (Slots{0, 3, 1, 4, 2, 5, 6, 7}));
  EXPECT_EQ(Spaces(model, 2).head.on_row(1), (Slots{8, 11, 9, 12, 10, 13, 14, 15}));
  const Space over_rows = Spaces(model, 6).head;
  EXPECT_EQ(over_rows.on_row(0), (Slots{0, 3, 6, 7}));
  EXPECT_EQ(over_rows.on_row(2), (Slots{2, 5}));
  EXPECT_EQ(over_rows.on_row(4), (Slots{9, 12}));
}

}  // namespace
}  // namespace weft::compiler
