/// Sums of single instructions (verif/model/numbers/terms.hpp), compared with docs/reference/numbers.md in integer
/// arithmetic.
#include "verif/model/numbers/terms.hpp"

#include <gtest/gtest.h>

#include <array>
#include <random>

#include "verif/model/numbers/numbers.hpp"

namespace weft::model::terms_test {
namespace {

/// All kinds of bf16: arbitrary bits; close exponents, so that sums cancel; exponents near the limits, where products
/// flush to zero or overflow; and special values.
class Values {
 public:
  std::uint16_t next() {
    const std::uint64_t bits = random_();
    const auto any = static_cast<std::uint16_t>(bits);
    switch (bits >> 60) {
      case 0:
        return any;
      case 1:
        return kSpecial[(bits >> 16) % kSpecial.size()];
      case 2:
      case 3:
        return with_exponent(any, 60 + (bits >> 16) % 8);
      case 4:
        return with_exponent(any, 186 + (bits >> 16) % 8);
      default:
        return with_exponent(any, 120 + (bits >> 16) % 12);
    }
  }
  /// A running sum in the range of products of such factors.
  std::uint32_t sum() {
    const std::uint32_t product = fma_bits(next(), next(), 0);
    return fma_bits(0x3f80, static_cast<bf16>(random_() % 3 ? product >> 16 : next()), product);
  }

 private:
  static constexpr std::array<std::uint16_t, 10> kSpecial = {0,      0x8000, 0x7f80, 0xff80, 0x7fc0,
                                                             0x0001, 0x807f, 0x0080, 0x7f7f, 0x3f80};
  static std::uint16_t with_exponent(std::uint16_t bits, std::uint64_t exponent) {
    return static_cast<std::uint16_t>((bits & 0x807f) | exponent << 7);
  }
  std::mt19937_64 random_{7};
};

std::uint32_t canonical(std::uint32_t bits) { return weft::is_nan(bits) ? 0x7fc00000 : bits; }

/// Compares sums of `size` products, one per lane of `Lanes`.
void expect_same(Values& values, int size) {
  std::vector<std::uint16_t> x(static_cast<std::size_t>((size + 1) * kVector)), w(x.size());
  for (auto* v : {&x, &w})
    for (auto& value : *v) value = values.next();
  std::array<std::uint32_t, kVector> expected;
  for (auto& c : expected) c = values.sum();
  V sum = load_as<V>(expected.data());
  for (int i = 0; i < size; ++i)
    for (int lane = 0; lane < kVector; ++lane) {
      auto& c = expected[static_cast<std::size_t>(lane)];
      const auto at = static_cast<std::size_t>(i * kVector + lane);
      c = fma_bits(x[at], w[at], c);
    }
  {
    const FlushDenormals mode;
    for_terms(size, [&](int i, int last, auto alone) {
      const auto at = [&](const auto& values, int k) { return values.data() + k * kVector; };
      sum = fma_terms(terms(alone, at(x, i), at(x, last)), weights(alone, at(w, i), at(w, last)), sum);
    });
  }
  for (int lane = 0; lane < kVector; ++lane)
    ASSERT_EQ(canonical(as_bits(sum[lane])), canonical(expected[static_cast<std::size_t>(lane)])) << "lane " << lane;
}

TEST(Terms, ProductsAreAddedOneAfterTheOther) {
  Values values;
  for (int size = 0; size < 8; ++size)
    for (int k = 0; k < 5000; ++k) expect_same(values, size);
}

TEST(Terms, AProductThatIsNotThereChangesNoSum) {
  const FlushDenormals mode;
  for (const float sum : {0.0F, -0.0F, 1.5F, -3e-38F, INFINITY}) {
    const std::uint16_t zeros[kVector] = {};
    const V same =
        fma_terms(terms(Last<true>(), zeros, zeros), splat_word(weights(Last<true>(), 0x8000, 0)), splat(sum));
    EXPECT_EQ(as_bits(same[0]), as_bits(sum));
  }
}

}  // namespace
}  // namespace weft::model::terms_test
