/// Operations on vectors (verif/model/numbers/simd.hpp), compared with docs/reference/numbers.md in integer arithmetic.
#include "verif/model/numbers/simd.hpp"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <vector>

#include "tests/pe/number_cases.hpp"
#include "verif/model/numbers/numbers.hpp"

namespace weft::model::simd_test {
namespace {

using test::Operands;

/// One number of each of kVector cases.
template <class Get>
V lanes_of(const Operands* cases, Get get) {
  std::array<std::uint32_t, kVector> bits;
  for (std::size_t i = 0; i < kVector; ++i) bits[i] = get(cases[i]);
  return load_as<V>(bits.data());
}

/// Compares all operations on kVector cases; noinline, so that the compiler evaluates nothing before FlushDenormals is
/// in force.
[[gnu::noinline]] void expect_defined(const Operands* cases) {
  const auto raw = [](bf16 x) { return static_cast<std::uint32_t>(x) << 16; };
  const V a = lanes_of(cases, [&](const Operands& o) { return raw(o.a); });
  const V b = lanes_of(cases, [&](const Operands& o) { return raw(o.b); });
  const V c = lanes_of(cases, [](const Operands& o) { return o.c; });
  const V x = lanes_of(cases, [](const Operands& o) { return o.x; });
  const V sums = canonical_nan(add(x, c)), products = canonical_nan(multiply(a, b)), fmas = canonical_nan(fma(a, b, c));
  const V most = max(multiply(a, b), c);
  const H halves = to_bf16(c);
  for (int i = 0; i < kVector; ++i) {
    const Operands& o = cases[i];
    const auto where = [&] {
      char text[80];
      std::snprintf(text, sizeof text, "a=%04x b=%04x c=%08x x=%08x", o.a, o.b, o.c, o.x);
      return std::string(text);
    };
    ASSERT_EQ(as_bits(fmas[i]), fma_bits(o.a, o.b, o.c)) << where();
    ASSERT_EQ(as_bits(products[i]), mul_bits(o.a, o.b)) << where();
    ASSERT_EQ(as_bits(sums[i]), add_bits(o.x, o.c)) << where();
    ASSERT_EQ(as_bits(most[i]), max_bits(mul_bits(o.a, o.b), o.c)) << where();
    ASSERT_EQ(halves[i], weft::to_bf16(o.c)) << where();
  }
}

void expect_all_defined(std::vector<Operands> cases) {
  const FlushDenormals mode;
  cases.resize((cases.size() + kVector - 1) / kVector * kVector);
  for (std::size_t i = 0; i < cases.size() && !testing::Test::HasFatalFailure(); i += kVector)
    expect_defined(&cases[i]);
}

TEST(Simd, CornersFollowTheDefinitions) {
  std::vector<Operands> cases;
  for (const bf16 a : test::corner_bf16())
    for (const bf16 b : test::corner_bf16())
      for (const std::uint32_t c : test::corner_fp32()) cases.push_back({a, b, c, widen(b)});
  for (const std::uint32_t x : test::corner_fp32())
    for (const std::uint32_t c : test::corner_fp32()) cases.push_back({0, 0, c, x});
  expect_all_defined(cases);
}

TEST(Simd, RandomCasesFollowTheDefinitions) {
  test::Rng random(test::test_seed());
  std::vector<Operands> cases;
  for (int i = 0; i < 1'000'000; ++i) cases.push_back(test::random_operands(random));
  expect_all_defined(cases);
}

// Small products are taken from the smallest normal number: flushing before rounding, and rounding to a multiple of
// 2^-149, would give other bits.
TEST(Simd, ResultsThatRoundUpToTheNormalRangeAreNotFlushed) {
  std::vector<Operands> cases;
  for (unsigned e = 0x80; e < 0x7f80; e += 0x80)
    for (unsigned a = 0; a < 0x80; a += 5)
      for (const std::uint32_t c : {0x00800000u, 0x00800001u, 0x00800002u, 0x01000000u, 0x01000001u}) {
        cases.push_back({static_cast<bf16>(0x8080 | a), static_cast<bf16>(e), c, 0});
        cases.push_back({static_cast<bf16>(0x0080 | a), static_cast<bf16>(e | 3), c ^ 0x80000000, 0});
      }
  expect_all_defined(cases);
}

}  // namespace
}  // namespace weft::model::simd_test
