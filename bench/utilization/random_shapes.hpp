/// Random models and wafers with which the estimate of cycles is compared with the RTL, by the benchmark `estimate` and
/// by tests.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sw/compiler/plan/plan.hpp"

namespace weft::bench {

/// A shape that fits, compiled.
struct RandomShape {
  compiler::ModelShape model;
  machine::WaferShape wafer;
  double sparsity = 0;
  compiler::Plan plan = {};
  std::vector<float> parameters = {};

  /// "8x4, 2 valves, 64 hidden, ..."
  std::string text() const;
};

/// Most weights times tokens of a micro-batch: the RTL takes seconds.
inline constexpr std::int64_t kMostWork = 60'000'000;

/// Draws shape number `n` of a seed, from 1x1 to 16x16 tiles. Every third has short vectors: 1 to 3 beats, and heads
/// over several rows. Of the others, half are sparse and a quarter has sequences over two or four columns where the
/// mesh has them. A third of all is GPT-J, a quarter recomputes blocks.
RandomShape random_shape(unsigned seed, unsigned n, std::int64_t most_work = kMostWork);

/// Estimated cycles of the shape's micro-batch, over those that the RTL takes without pauses between ops.
double estimated_over_rtl(const RandomShape& shape);

}  // namespace weft::bench
