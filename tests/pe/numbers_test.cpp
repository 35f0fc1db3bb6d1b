/// numbers.hpp against the host's arithmetic, and against the definitions in docs/reference/numbers.md.
#include "verif/model/numbers/numbers.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/pe/native.hpp"
#include "tests/pe/number_cases.hpp"

namespace weft::test {
namespace {

void expect_native(const Operands& o) {
  const model::FlushDenormals flush_denormals;
  const auto where = [&] {
    char text[80];
    std::snprintf(text, sizeof text, "a=%04x b=%04x c=%08x x=%08x", o.a, o.b, o.c, o.x);
    return std::string(text);
  };
  ASSERT_EQ(model::fma_bits(o.a, o.b, o.c), native_fma(o.a, o.b, o.c)) << where();
  ASSERT_EQ(model::mul_bits(o.a, o.b), native_mul(o.a, o.b)) << where();
  ASSERT_EQ(model::add_bits(o.x, o.c), native_add(o.x, o.c)) << where();
  ASSERT_EQ(model::max_bits(o.x, o.c), native_max(o.x, o.c)) << where();
  ASSERT_EQ(model::ge_bits(o.x, o.c), native_ge(o.x, o.c)) << where();
}

TEST(Numbers, CornersEqualNativeArithmetic) {
  for (bf16 a : corner_bf16())
    for (bf16 b : corner_bf16())
      for (std::uint32_t c : corner_fp32()) {
        expect_native({a, b, c, widen(b)});
        if (HasFatalFailure()) return;
      }
  for (std::uint32_t x : corner_fp32())
    for (std::uint32_t c : corner_fp32()) expect_native({0, 0, c, x});
}

TEST(Numbers, RandomCasesEqualNativeArithmetic) {
  Rng random(test_seed());
  for (int i = 0; i < 10'000'000 && !HasFatalFailure(); ++i) expect_native(random_operands(random));
}

TEST(Numbers, SelIsMultiplyByOneOrTheAddend) {
  EXPECT_EQ(model::sel_bits(0x3f80, 0x8000, kOne), 0u);           // 1 * -0 + +0
  EXPECT_EQ(model::sel_bits(0x7fc0, 0x4000, kOne), 0x40000000u);  // NaN selects
  EXPECT_EQ(model::sel_bits(0x8001, 0x7f80, kOne), kOne);         // a subnormal does not; b is not read
  EXPECT_EQ(model::sel_bits(0x0000, 0x4000, 0x80000000u), 0u);    // +0 + -0
}

TEST(Numbers, ToBf16RoundsToTheNearestOfBothNeighbours) {
  Rng random(test_seed());
  for (int i = 0; i < 5'000'000; ++i) {
    const auto bits = static_cast<std::uint32_t>(random.next());
    const bf16 got = to_bf16(bits);
    if (is_nan(bits)) {
      ASSERT_EQ(got, kNanBf16);
      continue;
    }
    if (!(bits & 0x7f800000)) {
      ASSERT_EQ(got, bits >> 16 & 0x8000);
      continue;
    }
    const std::uint32_t below = bits & 0xffff0000, rest = bits & 0xffff;
    const bool up = rest > 0x8000 || (rest == 0x8000 && (below & 0x10000));
    ASSERT_EQ(got, (below >> 16) + up) << std::hex << bits;
  }
  EXPECT_EQ(to_bf16(0x7f7fffff), 0x7f80);
  EXPECT_EQ(to_bf16(0x007fffff), 0x0000);  // flushed before it could round up
  EXPECT_EQ(to_bf16(0xff800001), kNanBf16);
}

TEST(Numbers, WidenFlushesAndMakesNanCanonical) {
  EXPECT_EQ(widen(0x807f), 0x80000000u);
  EXPECT_EQ(widen(0xff81), kNan);
  EXPECT_EQ(widen(0xff80), 0xff800000u);
  EXPECT_EQ(widen(0x4049), 0x40490000u);
}

TEST(Numbers, FlushDenormalsRestoresTheMode) {
  constexpr unsigned kExceptions = 0x3f;
  const unsigned before = FloatMode::get();
  {
    const model::FlushDenormals flush_denormals;
    EXPECT_EQ(FloatMode::get() & FloatMode::kFlush, FloatMode::kFlush);
  }
  EXPECT_EQ(FloatMode::get() & ~kExceptions, before & ~kExceptions);
}

/// Neighbours differ by one; the flushed subnormals do not count.
int order(bf16 x) {
  const int magnitude = (x & 0x7fff) < 0x80 ? 0 : (x & 0x7fff) - 0x7f;
  return x & 0x8000 ? -magnitude : magnitude;
}

double exact_function(model::Fn fn, double x) {
  switch (fn) {
    case model::Fn::kExp:
      return std::exp(x);
    case model::Fn::kRecip:
      return 1 / x;
    case model::Fn::kRsqrt:
      return x == 0 ? INFINITY : 1 / std::sqrt(x);
    case model::Fn::kTanh:
      return std::tanh(x);
  }
  return 0;
}

TEST(TableFunctions, AllInputsAreWithinOneUlp) {
  for (model::Fn fn : {model::Fn::kExp, model::Fn::kRecip, model::Fn::kRsqrt, model::Fn::kTanh}) {
    int off_by_one = 0;
    for (unsigned i = 0; i < 65536; ++i) {
      const bf16 x = static_cast<bf16>(i);
      const bf16 want = nearest_bf16(exact_function(fn, static_cast<double>(as_float(widen(x)))));
      const bf16 got = model::sfu(fn, x);
      ASSERT_EQ(got, to_bf16(widen(got))) << "not canonical";
      ASSERT_EQ(want == kNanBf16, got == kNanBf16) << std::hex << x;
      if (want == kNanBf16) continue;
      ASSERT_EQ(want & 0x8000, got & 0x8000) << std::hex << x;
      ASSERT_LE(std::abs(order(want) - order(got)), 1) << std::hex << x << " got " << got << " want " << want;
      off_by_one += want != got;
    }
    std::printf("function %d: %d of 65536 results are not the nearest\n", static_cast<int>(fn), off_by_one);
  }
}

TEST(TableFunctions, SpecialValuesFollowTheContract) {
  EXPECT_EQ(model::sfu(model::Fn::kExp, 0x0000), 0x3f80);
  EXPECT_EQ(model::sfu(model::Fn::kExp, 0x8000), 0x3f80);
  EXPECT_EQ(model::sfu(model::Fn::kExp, 0x7f80), 0x7f80);
  EXPECT_EQ(model::sfu(model::Fn::kExp, 0xff80), 0x0000);
  EXPECT_EQ(model::sfu(model::Fn::kRecip, 0x8001), 0xff80);
  EXPECT_EQ(model::sfu(model::Fn::kRecip, 0xff80), 0x8000);
  EXPECT_EQ(model::sfu(model::Fn::kRsqrt, 0x8000), 0x7f80);
  EXPECT_EQ(model::sfu(model::Fn::kRsqrt, 0xbf80), kNanBf16);
  EXPECT_EQ(model::sfu(model::Fn::kRsqrt, 0x7f80), 0x0000);
  EXPECT_EQ(model::sfu(model::Fn::kTanh, 0xff80), 0xbf80);
  EXPECT_EQ(model::sfu(model::Fn::kTanh, 0x8000), 0x8000);
  for (model::Fn fn : {model::Fn::kExp, model::Fn::kRecip, model::Fn::kRsqrt, model::Fn::kTanh})
    EXPECT_EQ(model::sfu(fn, 0xff81), kNanBf16);
}

TEST(TableFunctions, TheTableIsTheFunction) {
  for (model::Fn fn : {model::Fn::kExp, model::Fn::kRecip, model::Fn::kRsqrt, model::Fn::kTanh})
    for (unsigned x = 0; x < 65536; ++x) ASSERT_EQ(model::sfu_table(fn)[x], model::sfu(fn, static_cast<bf16>(x)));
}

}  // namespace
}  // namespace weft::test
