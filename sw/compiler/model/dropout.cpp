#include "sw/compiler/model/dropout.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

#include "sw/base/philox.hpp"

namespace weft::compiler {
namespace {

constexpr std::uint32_t kFeatures = 0x66656174, kSites = 0x73697465;  // keys
constexpr double kMiddle = 192;  // sums stay within 64 of it, where the neighbours of a bf16 are 1 apart

/// One number of each of four bytes, with the sign of its first bit.
DropoutNumbers factors_of(std::uint32_t bytes) {
  DropoutNumbers numbers;
  for (bf16& number : numbers) {
    number = nearest_bf16((bytes & 0x80 ? -1 : 1) * (16 + (bytes & 0x7f) / 8.0));
    bytes >>= 8;
  }
  return numbers;
}

double number_of(bf16 x) { return as_float(widen(x)); }

/// Distance from the nearest integer to the sum of the products of b with a, from a[first] on. All operations are
/// exact.
double rest(const DropoutNumbers& a, int first, const DropoutNumbers& b) {
  double sum = kMiddle;
  for (int k = 0; k < kDropoutNumbers; ++k) sum += number_of(a[(first + k) % kDropoutNumbers]) * number_of(b[k]);
  return sum - number_of(nearest_bf16(sum));
}

}  // namespace

DropoutNumbers token_numbers(std::uint64_t seed, std::uint64_t step, std::uint64_t sample, int position) {
  const auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
  const std::array<std::uint32_t, 4> words = philox(
      {static_cast<std::uint32_t>(position), low(sample), low(step), low(step >> 32)}, {low(seed), low(seed >> 32)});
  DropoutNumbers numbers;
  for (int k = 0; k < kDropoutNumbers; ++k)
    numbers[k] = nearest_bf16((2.0 * static_cast<double>(words[k] >> 24) - 255) / 512);
  return numbers;
}

DropoutNumbers feature_numbers(int feature) {
  return factors_of(philox({static_cast<std::uint32_t>(feature), 0, 0, 0}, {kFeatures, 0})[0]);
}

DropoutNumbers site_numbers(int site) {
  return factors_of(philox({static_cast<std::uint32_t>(site), 0, 0, 0}, {kSites, 0})[0]);
}

DropoutFactors dropout_factors(double p) {
  if (!(p >= 0 && p < 1)) throw std::invalid_argument("a probability of dropout is in 0..1");
  DropoutFactors factors;
  const double scale = 1 / (1 - p), most = 0.5 - p;
  factors.hi = nearest_bf16(scale);
  factors.lo = nearest_bf16(scale - number_of(factors.hi));
  double nearest = std::numeric_limits<double>::infinity();
  for (int n = 128; n < 256; ++n) {  // a product of two bf16 comes closer to 1/2 - p than one of them
    const bf16 factor = nearest_bf16(n / 128.0), below = nearest_bf16(most / (n / 128.0));
    const double distance = std::abs(number_of(factor) * number_of(below) - most);
    if (distance < nearest) nearest = distance, factors.factor = factor, factors.below = below;
  }
  return factors;
}

double dropout_number(const DropoutNumbers& token, const DropoutNumbers& site, const DropoutNumbers& feature) {
  DropoutNumbers mixed;
  for (int k = 0; k < kDropoutNumbers; ++k) mixed[k] = nearest_bf16(rest(token, k, site));
  return rest(mixed, 0, feature);
}

bool is_kept(const DropoutFactors& factors, double number) {
  return number_of(factors.below) * number_of(factors.factor) >= number;
}

}  // namespace weft::compiler
