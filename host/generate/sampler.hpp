/// Chooses the next token by its logits.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "host/memoryx/normal.hpp"

namespace weft {

struct SamplerOptions {
  double temperature = 0;  ///< 0: the likeliest token, of equal ones the first
  int top_k = 0;           ///< of the likeliest; of equal ones the first; 0: all
  double top_p = 1;        ///< of these, the fewest likeliest whose probability is this share of theirs or more
  std::uint64_t seed = 1;
  std::uint32_t text = 0;  ///< draws for texts with other numbers here are others, as far as chance goes
};

class Sampler {
 public:
  explicit Sampler(const SamplerOptions& options);

  /// Token `position` of a text, counted from any start: depends on the options, `logits` and `position` alone, with
  /// the same result on every machine. Of those that candidates() names token i is chosen with probability
  /// exp(logits[i] / temperature) / sum.
  int choose(std::span<const float> logits, std::uint64_t position) const;

  /// The tokens that top_k and top_p leave, at least one; in no order. Of temperature 0: the one that is chosen.
  std::vector<int> candidates(std::span<const float> logits) const;

 private:
  SamplerOptions options_;
  NormalStream random_;
};

}  // namespace weft
