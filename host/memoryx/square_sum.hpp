/// The sum of squares of a shard of fixed-point sums times a scale. Its bits depend only on the values and their order.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "host/memoryx/fixed_point.hpp"

namespace weft::memoryx {

class SquareSum {
 public:
  static constexpr std::size_t kLanes = 8;  ///< the size of each add() but the last must be a multiple

  void add(std::span<const std::int64_t> sums, double scale) {
    std::array<double, kLanes> lane = lanes_;
    const std::int64_t* sum = sums.data();
    std::size_t i = 0;
    for (; i + kLanes <= sums.size(); i += kLanes) {
      for (std::size_t k = 0; k < kLanes; ++k) {
        const double g = to_double(sum[i + k]) * scale;
        lane[k] += g * g;
      }
    }
    for (; i < sums.size(); ++i) lane[0] += to_double(sum[i]) * scale * (to_double(sum[i]) * scale);
    lanes_ = lane;
  }
  double value() const {
    double total = 0;
    for (const double lane : lanes_) total += lane;
    return total;
  }

 private:
  std::array<double, kLanes> lanes_{};
};

}  // namespace weft::memoryx
