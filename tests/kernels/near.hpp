/// Tolerances of a kernel against a computation in doubles, and a check that names the worst value.
///
/// A tolerance is the sum of the roundings that the kernel makes (docs/reference/numbers.md): none is guessed or
/// derived from results.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>

namespace weft::kernels {

/// One rounding to bf16, relative: half a unit in the last of 8 bits.
inline constexpr double kRound = 0x1p-8;

/// A table function, relative: one ulp from the correctly rounded result, which itself is half an ulp off.
inline constexpr double kTable = 3 * kRound;

/// Sum of `terms` values in fp32, whose magnitudes add up to `magnitude`.
inline double sum_error(int terms, double magnitude) { return terms * 0x1p-24 * magnitude; }

/// Checks values one at a time; its destructor fails, once, if any was outside its tolerance, if all deviate to one
/// side, or if there was none.
class Near {
 public:
  explicit Near(std::string what) : what_(std::move(what)) {}
  Near(const Near&) = delete;
  Near& operator=(const Near&) = delete;

  void operator()(double got, double expected, double tolerance, int token, int feature) {
    ++count_;
    const double error = (got - expected) / (tolerance + 1e-30), ratio = std::abs(error);
    up_ += error;
    away_ += std::copysign(error, error * expected);
    if (!(ratio <= worst_)) {  // also if it is NaN
      worst_ = std::isnan(ratio) ? INFINITY : ratio;
      where_ = "token " + std::to_string(token) + ", feature " + std::to_string(feature) + ": " + std::to_string(got) +
               " instead of " + std::to_string(expected);
    }
  }

  ~Near() {
    EXPECT_GT(count_, 0) << what_ << ": nothing was compared";
    EXPECT_LE(worst_, 1) << what_ << ", error in tolerances; worst is " << where_;
    // Roundings to nearest are unbiased: five standard deviations of a mean of `count_` of them. The rest is the bias
    // that tables and constants in bf16 may have.
    const double lean = 2 / std::sqrt(count_) + 0.03;
    EXPECT_LE(std::abs(up_ / count_), lean) << what_ << " is too high or too low as a whole, in tolerances";
    EXPECT_LE(std::abs(away_ / count_), lean) << what_ << " is too large or too small as a whole, in tolerances";
  }

 private:
  std::string what_, where_;
  double worst_ = 0;
  double up_ = 0, away_ = 0;  ///< sums of errors, in tolerances: upwards, and away from zero
  int count_ = 0;
};

}  // namespace weft::kernels
