#include "sw/base/elementary.hpp"

#include <array>
#include <cmath>
#include <limits>

#include "sw/base/double_double.hpp"
#include "sw/base/exact_math.hpp"

namespace weft {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

// The first 159 bits of log 2 and 212 of pi / 2.
constexpr std::array<double, 3> kLog2{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56, 0x1.7b57a079a1934p-111};
constexpr std::array<double, 4> kHalfPi{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54, -0x1.f1976b7ed8fbcp-110,
                                        0x1.4cf98e804177dp-164};

/// 1 / n!
constexpr auto kInverseFactorials = [] {
  std::array<DoubleDouble, 32> result{};
  result[0] = {1, 0};
  for (std::size_t n = 1; n < result.size(); ++n) result[n] = result[n - 1] / DoubleDouble{static_cast<double>(n), 0};
  return result;
}();

/// 1 / (2 k + 1)
constexpr auto kInverseOdds = [] {
  std::array<DoubleDouble, 24> result{};
  for (std::size_t k = 0; k < result.size(); ++k)
    result[k] = DoubleDouble{1, 0} / DoubleDouble{static_cast<double>(2 * k + 1), 0};
  return result;
}();

/// 2 artanh z = 2 (z + z^3 / 3 + z^5 / 5 + ...), with `terms` terms.
constexpr DoubleDouble twice_artanh(const DoubleDouble& z, std::size_t terms) {
  const DoubleDouble square = z * z;
  DoubleDouble series = kInverseOdds[terms - 1];
  for (std::size_t k = terms - 1; k-- > 0;) series = series * square + kInverseOdds[k];
  return z * series * 2;
}

/// log(i / 32) for i from kFirst on: log((1 + z) / (1 - z)) = 2 artanh z; |z| <= 0.17, so 24 terms leave 2^-127.
constexpr std::size_t kFirst = 23, kParts = 32;
constexpr auto kLogs = [] {
  std::array<DoubleDouble, 23> result{};
  for (std::size_t i = 0; i < result.size(); ++i) {
    const auto c = static_cast<double>(i + kFirst);
    result[i] = twice_artanh(DoubleDouble{c - kParts, 0} / DoubleDouble{c + kParts, 0}, 24);
  }
  return result;
}();

/// a + sum of -n * parts. All terms are added exactly before anything is rounded, since most of them cancel.
template <std::size_t Parts>
DoubleDouble minus_multiple(const DoubleDouble& a, double n, const std::array<double, Parts>& parts) {
  std::array<double, 2 * Parts + 2> sum{};  // nonoverlapping terms of the exact sum, the smallest first
  std::size_t count = 0;
  const auto add = [&](double term) {
    for (std::size_t i = 0; i < count; ++i) {
      const DoubleDouble both = exact_sum(term, sum[i]);
      sum[i] = both.low;
      term = both.high;
    }
    sum[count++] = term;
  };
  for (std::size_t i = Parts; i-- > 0;) {
    const DoubleDouble product = exact_product(n, parts[i]);
    add(-product.low);
    add(-product.high);
  }
  add(a.low);
  add(a.high);
  DoubleDouble result;
  for (const double term : sum) result = result + term;
  return result;
}

/// Logarithm of a positive finite number.
DoubleDouble log_of(double x) {
  int exponent = 0;
  double m = std::frexp(x, &exponent);
  if (m < 0.70710678118654752440) {
    m *= 2;
    --exponent;
  }
  // m = c (1 + z) / (1 - z) with c = i / 32, |z| <= 0.0112: 10 terms leave 2^-130.
  const auto i = static_cast<std::size_t>(m * kParts + 0.5);
  const double c = static_cast<double>(i) / kParts;
  const DoubleDouble series = twice_artanh(DoubleDouble{m - c, 0} / exact_sum(m, c), 10);
  const auto n = static_cast<double>(exponent);
  const DoubleDouble scale = exact_product(n, kLog2[0]) + exact_product(n, kLog2[1]);
  return (scale + kLogs[i - kFirst]) + series;
}

double exp_of(const DoubleDouble& x) {
  if (x.high > 709.8) return kInfinity;
  if (x.high < -708.4) return 0;
  // x = n log 2 + r, |r| <= 0.347: 26 terms leave 2^-128.
  const double n = std::floor(x.high * 0x1.71547652b82fep+0 + 0.5);
  const DoubleDouble r = minus_multiple(x, n, kLog2);
  DoubleDouble series = kInverseFactorials[26];
  for (std::size_t k = 26; k-- > 0;) series = series * r + kInverseFactorials[k];
  const double result = std::ldexp(series.high, static_cast<int>(n));
  return result < std::numeric_limits<double>::min() ? 0 : result;
}

/// Sine (`first` 1) or cosine (`first` 0) of |x| <= 0.786: 15 terms leave 2^-110.
DoubleDouble series_of(const DoubleDouble& x, std::size_t first) {
  const DoubleDouble square = -(x * x);
  DoubleDouble series = kInverseFactorials[28 + first];
  for (std::size_t k = 14; k-- > 0;) series = series * square + kInverseFactorials[2 * k + first];
  return first == 0 ? series : series * x;
}

/// sin(x + quarters pi / 2)
double wave(double x, int quarters) {
  if (!(std::fabs(x) < 0x1p40)) return kNotANumber;
  const double n = std::floor(x * 0x1.45f306dc9c883p-1 + 0.5);  // x = n pi / 2 + r
  const DoubleDouble r = n == 0 ? DoubleDouble{x, 0} : minus_multiple({x, 0}, n, kHalfPi);
  const auto turn = static_cast<unsigned>((static_cast<long long>(n) + quarters) & 3);
  const double result = series_of(r, turn % 2 == 0 ? 1 : 0).high;
  return turn < 2 ? result : -result;
}

}  // namespace

double rounded_log(double x) {
  if (x == 0) return -kInfinity;
  if (!(x > 0)) return kNotANumber;
  return x == kInfinity ? x : log_of(x).high;
}

double rounded_exp(double x) { return std::isnan(x) ? x : exp_of({x, 0}); }

double rounded_pow(double x, double y) {
  if (std::isnan(x) || std::isnan(y) || x < 0) return kNotANumber;
  // IEEE 754 rounds these operations correctly, including results halfway between two numbers.
  if (y == 0 || x == 1) return 1;
  if (y == 1) return x;
  if (y == 2) return x * x;
  if (y == 0.5) return std::sqrt(x);
  if (y == -1) return 1 / x;
  if (x == 0 || x == kInfinity) return (x == 0) == (y > 0) ? 0 : kInfinity;
  const DoubleDouble log = log_of(x);
  const double rough = log.high * y;
  if (!(std::fabs(rough) < 800)) return rough > 0 ? kInfinity : 0;
  return exp_of(log * y);
}

double rounded_cos(double x) { return wave(x, 1); }

double rounded_sin(double x) { return wave(x, 0); }

double portable_log(double x) {
  int exponent = 0;
  double m = std::frexp(x, &exponent);  // [0.5, 1)
  if (m < 0.70710678118654752440) {
    m *= 2;
    --exponent;
  }
  // log m = 2 artanh(z), |z| <= 0.172: 12 terms of the series leave 1e-20.
  const double z = (m - 1) / (m + 1);
  double series = 0;
  for (int k = 23; k >= 1; k -= 2) series = series * (z * z) + 1.0 / k;
  return exponent * 0.69314718055994530942 + 2 * z * series;
}

double portable_exp(double x) {
  if (x < -700) return 0;
  // x = n log 2 + r, |r| <= 0.347: 14 terms of the series leave 1e-18. n times the first half of log 2 is exact.
  const double n = std::floor(x * 1.44269504088896340736 + 0.5);
  const double r = (x - n * 0x1.62e42feep-1) - n * 0x1.a39ef35793c76p-33;
  double series = 1;
  for (int k = 14; k >= 1; --k) series = series * r / k + 1;
  return std::ldexp(series, static_cast<int>(n));
}

}  // namespace weft
