/// Normally distributed numbers that are the same on every platform, in any order and from any thread.
///
/// Number k of a stream is a function of (seed, stream name, k): SplitMix64's output function of a counter, then the
/// inverse normal distribution in double arithmetic that uses only operations IEEE 754 rounds correctly.
/// (std::normal_distribution and the C library's log differ between platforms.)
#pragma once

#include <cstdint>
#include <string_view>

namespace weft::memoryx {

class NormalRng {
 public:
  NormalRng(std::uint64_t seed, std::string_view name);
  /// Number k of the stream: mean 0, standard deviation 1.
  double operator()(std::uint64_t k) const;
  /// 64 uniform bits: word k of the stream.
  std::uint64_t bits(std::uint64_t k) const;

 private:
  std::uint64_t key_;
};

/// x with probability(normal < x) = p, 0 < p < 1; relative error about 1e-16.
double inverse_normal(double p);

}  // namespace weft::memoryx
