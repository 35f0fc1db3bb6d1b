#include "host/memoryx/pruning.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <string>

#include "host/memoryx/normal_rng.hpp"

namespace weft::memoryx {
namespace {

/// Keeps the `count` elements with the smallest keys, the first of equal ones.
std::vector<bool> keep_smallest(const std::vector<std::uint64_t>& keys, std::uint64_t count) {
  std::vector<std::uint64_t> order(keys.size());
  std::iota(order.begin(), order.end(), std::uint64_t{0});
  std::nth_element(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
                   [&](std::uint64_t a, std::uint64_t b) { return keys[a] != keys[b] ? keys[a] < keys[b] : a < b; });
  std::vector<bool> kept(keys.size());
  for (std::uint64_t k = 0; k < count; ++k) kept[order[k]] = true;
  return kept;
}

}  // namespace

std::uint64_t kept_elements(std::uint64_t size, double sparsity) {
  return static_cast<std::uint64_t>(std::llround((1 - sparsity) * static_cast<double>(size)));
}

std::vector<bool> random_mask(std::string_view name, std::uint64_t size, double sparsity, std::uint64_t seed) {
  const NormalRng random(seed, "mask of " + std::string(name));  // a stream other than that of the initial weights
  std::vector<std::uint64_t> keys(size);
  for (std::uint64_t k = 0; k < size; ++k) keys[k] = random.bits(k);
  return keep_smallest(keys, kept_elements(size, sparsity));
}

std::vector<bool> topk_mask(std::span<const float> weights, double sparsity) {
  std::vector<std::uint64_t> keys;
  keys.reserve(weights.size());
  for (const float w : weights) keys.push_back(~(std::bit_cast<std::uint32_t>(w) & 0x7fffffffU));  // by magnitude
  return keep_smallest(keys, kept_elements(weights.size(), sparsity));
}

}  // namespace weft::memoryx
