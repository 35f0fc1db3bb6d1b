/// The multiply-add lanes against numbers.hpp and the host's own arithmetic, one operation a cycle and with gaps.
#include <gtest/gtest.h>

#include "tests/pe/lanes_bench.hpp"

namespace weft::test {
namespace {

TEST(FmaLanes, CornersOfProductsAreExact) {
  Lanes lanes;
  for (auto [op, use_x] : kOperations)
    for (bf16 a : corner_bf16())
      for (bf16 b : corner_bf16())
        for (std::uint32_t c : corner_fp32()) {
          if (use_x) continue;
          const Case k{op, use_x, {a, b, c, ~c}};
          lanes.step(&k);
          if (HasFatalFailure()) return;
        }
  lanes.drain();
}

TEST(FmaLanes, CornersOfStreamsAreExact) {
  Lanes lanes;
  for (auto [op, use_x] : kOperations)
    for (std::uint32_t x : corner_fp32())
      for (std::uint32_t c : corner_fp32()) {
        const Case k{op, use_x, {0x7fc0, 0x0000, c, x}};
        lanes.step(&k);
        if (HasFatalFailure()) return;
      }
  lanes.drain();
}

TEST(FmaLanes, ResetEmptiesEveryStage) {
  Rng random(test_seed());
  Lanes lanes;
  for (int under_way = 1; under_way < 8; ++under_way) {
    for (int i = 0; i < under_way; ++i) {
      const Case k{kAdd, false, random_operands(random)};
      lanes.step(&k);
    }
    lanes.reset();
    lanes.drain();  // no result arrives
    if (HasFatalFailure()) return;
  }
}

TEST(FmaLanes, RandomOperationsAreExactWithAndWithoutGaps) {
  Rng random(test_seed());
  Lanes lanes;
  for (int i = 0; i < 4'000'000; ++i) {
    const auto [op, use_x] = kOperations[random.below(8) < 4 ? random.below(2) : random.below(kOperations.size())];
    const Case k{op, use_x, random_operands(random)};
    lanes.step(&k);
    if (i >> 16 & 1)
      while (random.below(4) == 0) lanes.step(nullptr);
    if (HasFatalFailure()) return;
  }
  lanes.drain();
}

}  // namespace
}  // namespace weft::test
