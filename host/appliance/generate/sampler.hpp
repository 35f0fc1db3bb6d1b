/// Chooses the next token by its logits.
#pragma once

#include <cstdint>
#include <span>

#include "host/memoryx/normal.hpp"

namespace weft {

struct SamplerOptions {
  double temperature = 0;  ///< 0: the likeliest token, of equal ones the first
  int top_k = 0;           ///< of the likeliest; of equal ones the first; 0: all
  std::uint64_t seed = 1;
};

class Sampler {
 public:
  explicit Sampler(const SamplerOptions& options) : options_(options), random_(options.seed, "generate") {}

  /// Token `position` of a text, counted from any start: depends on the options, `logits` and `position` alone, with
  /// the same result on every machine. Token i is chosen with probability exp(logits[i] / temperature) / sum.
  int choose(std::span<const float> logits, std::uint64_t position) const;

 private:
  SamplerOptions options_;
  NormalStream random_;
};

}  // namespace weft
