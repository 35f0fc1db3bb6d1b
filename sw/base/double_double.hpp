/// Double-double arithmetic: a number as the unevaluated sum of two doubles, about 106 significant bits.
///
/// Only additions and multiplications of doubles are used, each of which IEEE 754 rounds in one way, so every result
/// has the same bits on every machine and at compile time. Dekker, "A floating-point technique for extending the
/// available precision" (1971); Shewchuk, "Adaptive precision floating-point arithmetic" (1997).
#pragma once

namespace weft {

/// `high` is the sum, rounded to a double; `low` is the rest.
struct DoubleDouble {
  double high = 0, low = 0;
};

/// a + b exactly, for |a| >= |b| or a = 0.
constexpr DoubleDouble ordered_sum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

/// a + b exactly.
constexpr DoubleDouble exact_sum(double a, double b) {
  const double sum = a + b, second = sum - a;
  return {sum, (a - (sum - second)) + (b - second)};
}

/// The upper 26 bits of a factor and the lower ones, for |a| below 2^996.
constexpr DoubleDouble halves(double a) {
  const double scaled = 0x1p27 * a + a;
  const double high = scaled - (scaled - a);
  return {high, a - high};
}

/// a * b exactly, unless parts of the product are subnormal.
constexpr DoubleDouble exact_product(double a, double b) {
  const double product = a * b;
  const DoubleDouble x = halves(a), y = halves(b);
  return {product, ((x.high * y.high - product) + x.high * y.low + x.low * y.high) + x.low * y.low};
}

constexpr DoubleDouble operator-(const DoubleDouble& a) { return {-a.high, -a.low}; }

constexpr DoubleDouble operator+(const DoubleDouble& a, const DoubleDouble& b) {
  const DoubleDouble high = exact_sum(a.high, b.high), low = exact_sum(a.low, b.low);
  const DoubleDouble sum = ordered_sum(high.high, high.low + low.high);
  return ordered_sum(sum.high, sum.low + low.low);
}
constexpr DoubleDouble operator+(const DoubleDouble& a, double b) {
  const DoubleDouble sum = exact_sum(a.high, b);
  return ordered_sum(sum.high, sum.low + a.low);
}

constexpr DoubleDouble operator*(const DoubleDouble& a, const DoubleDouble& b) {
  const DoubleDouble product = exact_product(a.high, b.high);
  return ordered_sum(product.high, product.low + (a.high * b.low + a.low * b.high));
}
constexpr DoubleDouble operator*(const DoubleDouble& a, double b) {
  const DoubleDouble product = exact_product(a.high, b);
  return ordered_sum(product.high, product.low + a.low * b);
}

/// Long division: three digits of 53 bits.
constexpr DoubleDouble operator/(const DoubleDouble& a, const DoubleDouble& b) {
  const double first = a.high / b.high;
  DoubleDouble rest = a + -(b * first);
  const double second = rest.high / b.high;
  rest = rest + -(b * second);
  return ordered_sum(first, second) + rest.high / b.high;
}

}  // namespace weft
