/// Chooses the next token from its logits.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "host/memoryx/normal_rng.hpp"

namespace weft::generate {

struct SamplerOptions {
  double temperature = 0;  ///< 0: the most likely token, the first of equal ones
  int top_k = 0;           ///< number of most likely tokens, the first of equal ones; 0: all
  double top_p = 1;        ///< fewest most likely tokens among these with at least this share of their probability
  std::uint64_t seed = 1;
  std::uint32_t text = 0;  ///< texts with different numbers draw independently
};

class Sampler {
 public:
  explicit Sampler(const SamplerOptions& options);

  /// Chooses token `position` of a text; positions may be counted from any start. The result depends only on the
  /// options, `logits` and `position`, and is the same on every machine. Token i of candidates() is chosen with
  /// probability exp(logits[i] / temperature) / sum.
  int choose(std::span<const float> logits, std::uint64_t position) const;

  /// The tokens that remain after top_k and top_p, at least one, unsorted. With temperature 0: the chosen one.
  std::vector<int> candidates(std::span<const float> logits) const;

 private:
  SamplerOptions options_;
  memoryx::NormalRng random_;
};

}  // namespace weft::generate
