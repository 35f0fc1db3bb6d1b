#include "host/memoryx/normal_rng.hpp"

#include <array>
#include <cmath>

#include "sw/base/elementary.hpp"

namespace weft::memoryx {
namespace {

// The output function of SplitMix64 (Steele, Lea, Flood 2014, variant 13 of Stafford).
std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31);
}

double polynomial(const std::array<double, 8>& c, double x) {
  double y = c[7];
  for (int i = 6; i >= 0; --i) y = y * x + c[static_cast<std::size_t>(i)];
  return y;
}

// Wichura, "Algorithm AS 241: the percentage points of the normal distribution" (1988), PPND16.
constexpr std::array<double, 8> kA{3.3871328727963666080e0,  1.3314166789178437745e+2, 1.9715909503065514427e+3,
                                   1.3731693765509461125e+4, 4.5921953931549871457e+4, 6.7265770927008700853e+4,
                                   3.3430575583588128105e+4, 2.5090809287301226727e+3};
constexpr std::array<double, 8> kB{1.0,
                                   4.2313330701600911252e+1,
                                   6.8718700749205790830e+2,
                                   5.3941960214247511077e+3,
                                   2.1213794301586595867e+4,
                                   3.9307895800092710610e+4,
                                   2.8729085735721942674e+4,
                                   5.2264952788528545610e+3};
constexpr std::array<double, 8> kC{1.42343711074968357734e0,  4.63033784615654529590e0, 5.76949722146069140550e0,
                                   3.64784832476320460504e0,  1.27045825245236838258e0, 2.41780725177450611770e-1,
                                   2.27238449892691845833e-2, 7.74545014278341407640e-4};
constexpr std::array<double, 8> kD{1.0,
                                   2.05319162663775882187e0,
                                   1.67638483018380384940e0,
                                   6.89767334985100004550e-1,
                                   1.48103976427480074590e-1,
                                   1.51986665636164571966e-2,
                                   5.47593808499534494600e-4,
                                   1.05075007164441684324e-9};
constexpr std::array<double, 8> kE{6.65790464350110377720e0,  5.46378491116411436990e0,  1.78482653991729133580e0,
                                   2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                   2.71155556874348757815e-5, 2.01033439929228813265e-7};
constexpr std::array<double, 8> kF{1.0,
                                   5.99832206555887937690e-1,
                                   1.36929880922735805310e-1,
                                   1.48753612908506148525e-2,
                                   7.86869131145613259100e-4,
                                   1.84631831751005468180e-5,
                                   1.42151175831644588870e-7,
                                   2.04426310338993978564e-15};

}  // namespace

double inverse_normal(double p) {
  const double q = p - 0.5;
  if (std::fabs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * polynomial(kA, r) / polynomial(kB, r);
  }
  const double r = std::sqrt(-portable_log(q < 0 ? p : 1 - p));
  const double x =
      r <= 5 ? polynomial(kC, r - 1.6) / polynomial(kD, r - 1.6) : polynomial(kE, r - 5) / polynomial(kF, r - 5);
  return q < 0 ? -x : x;
}

NormalRng::NormalRng(std::uint64_t seed, std::string_view name) : key_(mix(seed + 0x9E3779B97F4A7C15U)) {
  for (const char c : name) key_ = mix(key_ ^ static_cast<unsigned char>(c)) + 0x9E3779B97F4A7C15U;
}

std::uint64_t NormalRng::bits(std::uint64_t k) const { return mix(key_ + (k + 1) * 0x9E3779B97F4A7C15U); }

double NormalRng::operator()(std::uint64_t k) const {
  // 52 bits plus one half: strictly between 0 and 1, and exact.
  return inverse_normal((static_cast<double>(bits(k) >> 12) + 0.5) * 0x1p-52);
}

}  // namespace weft::memoryx
