#include "host/appliance/generate/sampler.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace weft {
namespace {

/// From 64 random bits a number with the Gumbel distribution. Its double logarithm is of numbers strictly between 0 and
/// 1: 52 bits and a half.
double gumbel(std::uint64_t bits) {
  const double uniform = (static_cast<double>(bits >> 12) + 0.5) * 0x1p-52;
  return -portable_log(-portable_log(uniform));
}

}  // namespace

int Sampler::choose(std::span<const float> logits, std::uint64_t position) const {
  std::vector<int> order(logits.size());
  std::iota(order.begin(), order.end(), 0);
  const auto likelier = [&](int a, int b) { return logits[a] > logits[b] || (logits[a] == logits[b] && a < b); };
  if (options_.temperature == 0) return *std::ranges::min_element(order, likelier);
  if (options_.top_k > 0 && static_cast<std::size_t>(options_.top_k) < order.size()) {
    std::ranges::nth_element(order, order.begin() + options_.top_k, likelier);
    order.resize(static_cast<std::size_t>(options_.top_k));
  }
  // The largest of logits plus Gumbel noise is a draw from their softmax (Gumbel 1954), without a sum or an
  // exponential.
  const float largest = logits[*std::ranges::min_element(order, likelier)];
  const auto score = [&](int token) {
    const double distance = static_cast<double>(logits[token]) - largest;
    return distance / options_.temperature + gumbel(random_.bits(position * logits.size() + token));
  };
  return *std::ranges::max_element(order, {}, score);
}

}  // namespace weft
