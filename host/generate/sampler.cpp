#include "host/generate/sampler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "sw/base/elementary.hpp"

namespace weft::generate {
namespace {

/// Converts 64 random bits to a number with the Gumbel distribution. The argument of its double logarithm is strictly
/// between 0 and 1: 52 bits plus one half.
double gumbel(std::uint64_t bits) {
  const double uniform = (static_cast<double>(bits >> 12) + 0.5) * 0x1p-52;
  return -portable_log(-portable_log(uniform));
}

/// Keeps the first of `tokens`, which are sorted by logits, that together have a share of at least `top_p` of their
/// total probability. The order of summation is fixed, so that the result is the same on every machine.
void keep_share(std::vector<int>& tokens, std::span<const float> logits, double temperature, double top_p) {
  std::vector<double> sums(tokens.size());
  double sum = 0;
  for (std::size_t n = 0; n < tokens.size(); ++n) {
    const double distance = static_cast<double>(logits[tokens[n]]) - logits[tokens[0]];
    sums[n] = sum += portable_exp(distance / temperature);
  }
  const auto enough = std::ranges::lower_bound(sums, top_p * sum);
  tokens.resize(std::min(tokens.size(), static_cast<std::size_t>(enough - sums.begin()) + 1));
}

}  // namespace

Sampler::Sampler(const SamplerOptions& options)
    : options_(options), random_(options.seed, fmt::format("generate {}", options.text)) {}

std::vector<int> Sampler::candidates(std::span<const float> logits) const {
  std::vector<int> tokens(logits.size());
  std::iota(tokens.begin(), tokens.end(), 0);
  const auto likelier = [&](int a, int b) { return logits[a] > logits[b] || (logits[a] == logits[b] && a < b); };
  if (options_.temperature == 0) return {*std::ranges::min_element(tokens, likelier)};
  if (options_.top_k > 0 && static_cast<std::size_t>(options_.top_k) < tokens.size()) {
    std::ranges::nth_element(tokens, tokens.begin() + options_.top_k, likelier);
    tokens.resize(static_cast<std::size_t>(options_.top_k));
  }
  if (options_.top_p < 1) {
    std::ranges::sort(tokens, likelier);
    keep_share(tokens, logits, options_.temperature, options_.top_p);
  }
  return tokens;
}

int Sampler::choose(std::span<const float> logits, std::uint64_t position) const {
  const std::vector<int> tokens = candidates(logits);
  if (tokens.size() == 1) return tokens[0];
  // The largest of logits plus Gumbel noise is a draw from their softmax (Gumbel 1954), without a sum or an
  // exponential.
  const float largest = logits[*std::ranges::max_element(tokens, {}, [&](int token) { return logits[token]; })];
  const auto score = [&](int token) {
    const double distance = static_cast<double>(logits[token]) - largest;
    return distance / options_.temperature + gumbel(random_.bits(position * logits.size() + token));
  };
  return *std::ranges::max_element(tokens, {}, score);
}

}  // namespace weft::generate
