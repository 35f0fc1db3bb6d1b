/// Addresses of arrays: adjacent to each other; operands read together are in different halves of memory.
#include "sw/compiler/memory/memory_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "sw/compiler/memory/array_symbols.hpp"
#include "sw/compiler/plan/symbols.hpp"
#include "tests/compiler/gpt2_memory.hpp"
#include "tests/compiler/shape_case.hpp"

namespace weft::compiler {
namespace {

/// True for arrays that share memory at different times.
bool in_turn(const std::string& a, const std::string& b) {
  const std::string shared[] = {"logits", "gelu", "elementwise_scratch", "dgelu", "dheads", "dq", "dk", "dv"};
  return std::ranges::find(shared, a) != std::end(shared) && std::ranges::find(shared, b) != std::end(shared);
}

class MemoryPlans : public testing::TestWithParam<Case> {
 protected:
  const ModelShape model = GetParam().model;
  machine::WaferShape wafer = GetParam().wafer;
  const Spaces spaces{model, wafer.rows};

  MemoryPlan plan(int kib) {
    wafer.sram_kib = kib;
    return {model, wafer, spaces};
  }
  /// The smallest sufficient SRAM.
  int least() {
    for (int kib = 1; kib <= 128; ++kib)
      if (plan(kib).end <= wafer.sram_elements()) return kib;
    return 0;
  }
};

TEST_P(MemoryPlans, ArraysAreNextToEachOther) {
  const int enough = least();
  ASSERT_GT(enough, 0);
  for (const int kib : {enough, enough + 1, 128}) {
    SCOPED_TRACE(kib);
    const MemoryPlan m = plan(kib);
    const auto arrays = array_symbols(m);
    for (std::size_t i = 0; i < arrays.size(); ++i) {
      const ArraySymbol& a = arrays[i];
      EXPECT_EQ(a.address % wafer.lanes, 0) << a.name;
      EXPECT_LE(a.address + a.slots * a.width, wafer.sram_elements()) << a.name;
      for (std::size_t k = i + 1; k < arrays.size(); ++k)
        if (!in_turn(a.name, arrays[k].name)) {
          EXPECT_LE(a.address + a.slots * a.width, arrays[k].address) << a.name << " " << arrays[k].name;
        }
    }
  }
}

TEST_P(MemoryPlans, PairedOperandsAreAtBothEnds) {
  for (const int kib : {least(), 128}) {
    wafer.sram_kib = kib;
    const Gpt2Memory m(model, wafer, spaces);
    const int end = wafer.sram_elements(), half = m.upper_half;
    EXPECT_LT(half, end);
    EXPECT_GE(2 * half, end);
    EXPECT_EQ(half & (half - 1), 0);
    // Downward from the end: keys and values of each layer, a norm's gradient and its scratch, then the buffers.
    // Behind an array may lie a place for the always-one feature.
    int below = end;
    const auto lies_next = [&](int address, const Space& space) {
      below -= (space.slots() + (m.has_place_behind(address) ? 1 : 0)) * m.tokens_per_column;
      EXPECT_EQ(address, below);
    };
    for (const Gpt2Memory::Layer& layer : m.layers)
      for (const int address : {layer.k, layer.v}) lies_next(address, spaces.head);
    for (const int address : {m.delta, m.delta_scaled}) lies_next(address, spaces.hidden);
    EXPECT_EQ(m.dys_above, below - 2 * m.tokens_per_column);
    EXPECT_EQ(m.dys(half - 1), m.dys_above);
    EXPECT_EQ(m.dys(half), m.dys_below);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, MemoryPlans,
    testing::Values(Case{"one_tile", shape(11, 8, 1, 2, 12, 8, true, 1), {.rows = 1, .cols = 1}},
                    Case{"tiny", shape(96, 32, 2, 4, 128, 32, true, 4), {.rows = 4, .cols = 4}},
                    Case{"oblong", shape(90, 24, 3, 3, 80, 16, false, 3), {.rows = 2, .cols = 3}},
                    Case{"of_two_lanes", shape(30, 24, 1, 2, 40, 11, true, 2), {.rows = 5, .cols = 2, .lanes = 2}},
                    Case{"of_sixteen", shape(30, 24, 1, 3, 40, 13, true, 5), {.rows = 4, .cols = 3, .lanes = 16}}),
    case_name);

}  // namespace
}  // namespace weft::compiler
