/// Least squares with a few non-negative unknowns.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace weft::bench {

/// An observed value, above 0, and the amount of each unknown in it.
struct Observation {
  std::vector<double> parts;
  double value = 0;
};

/// The unknowns, each at least 0, that minimize the sum of squared relative errors. Coordinate descent: each unknown in
/// turn is set to its optimum, until nothing changes any more.
inline std::vector<double> least_squares(const std::vector<Observation>& observations) {
  std::vector<double> unknown(observations.front().parts.size());
  for (int round = 0; round < 100'000; ++round) {
    double change = 0;
    for (std::size_t u = 0; u < unknown.size(); ++u) {
      double above = 0, below = 0;
      for (const Observation& one : observations) {
        double rest = one.value;
        for (std::size_t other = 0; other < unknown.size(); ++other)
          if (other != u) rest -= one.parts[other] * unknown[other];
        above += one.parts[u] * rest / (one.value * one.value);
        below += one.parts[u] * one.parts[u] / (one.value * one.value);
      }
      const double next = below > 0 ? std::max(0.0, above / below) : 0;
      change = std::max(change, std::abs(next - unknown[u]) / std::max(next, 1e-300));
      unknown[u] = next;
    }
    if (change < 1e-12) break;
  }
  return unknown;
}

}  // namespace weft::bench
