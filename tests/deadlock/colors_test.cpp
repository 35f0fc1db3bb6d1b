/// Comparison as in bounded_test.cpp for an RTL with more colors than a machine word has bits, and short queues.
#include <gtest/gtest.h>

#include "tests/deadlock/same_part.hpp"

namespace weft::deadlock {
namespace {

TEST(BoundedModel, HasAnyColorsAndDepth) {
  test::Rng rng(test::test_seed());
  int hung = 0;
  for (int i = 0; i < 150; ++i) {
    const Fabric f = random_fabric(rng, 2, 24);
    const auto rtl = run(*make_rtl_wafer(f.shape), f);
    const auto model = run(*make_model_wafer(f.shape, 1, 2), f);
    std::string text = "case " + std::to_string(i) + "\n";
    for (std::size_t t = 0; t < f.sources.size(); ++t) text += "tile " + std::to_string(t) + "\n" + f.sources[t];
    ASSERT_EQ(rtl != nullptr, model != nullptr) << text;
    hung += rtl != nullptr;
    if (rtl) {
      ASSERT_EQ(same_part(*rtl), same_part(*model)) << text;
    }
  }
  EXPECT_GT(hung, 20);
}

}  // namespace
}  // namespace weft::deadlock
