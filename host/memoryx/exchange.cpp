#include "host/memoryx/exchange.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <string>

#include "host/memoryx/invariant.hpp"
#include "host/memoryx/normal.hpp"

namespace weft {
namespace {

std::uint32_t magnitude(float weight) { return std::bit_cast<std::uint32_t>(weight) & 0x7fffffffU; }

/// Places of the elements whose bit is `bit`.
std::vector<std::uint64_t> places(const std::vector<bool>& kept, bool bit) {
  std::vector<std::uint64_t> all;
  for (std::uint64_t k = 0; k < kept.size(); ++k)
    if (kept[k] == bit) all.push_back(k);
  return all;
}

/// The `count` places of the largest keys, of equal ones the first, are in front.
template <class Key>
void largest_first(std::vector<std::uint64_t>& all, std::uint64_t count, const Key& key) {
  std::nth_element(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count), all.end(),
                   [&](std::uint64_t a, std::uint64_t b) { return key(a) != key(b) ? key(a) > key(b) : a < b; });
}

}  // namespace

double cosine_left(std::uint64_t done, std::uint64_t all) {
  if (done >= all) return 0;
  return 0.5 * (1 + std::cos(std::numbers::pi * (static_cast<double>(done) / static_cast<double>(all))));
}

double gradual_sparsity(double first, double last, std::uint64_t done, std::uint64_t all) {
  if (done >= all) return last;
  const double left = 1 - static_cast<double>(done) / static_cast<double>(all);
  return last + (first - last) * left * left * left;
}

std::uint64_t exchanged_elements(std::uint64_t kept, std::uint64_t size, double fraction) {
  return std::min(static_cast<std::uint64_t>(fraction * static_cast<double>(kept)), size - kept);
}

std::vector<std::uint64_t> random_growth(std::string_view name, std::uint64_t size, std::uint64_t step,
                                         std::uint64_t seed) {
  const NormalStream random(seed, "growth of " + std::string(name) + " at " + std::to_string(step));
  std::vector<std::uint64_t> keys(size);
  for (std::uint64_t k = 0; k < size; ++k) keys[k] = random.bits(k);
  return keys;
}

std::vector<std::uint64_t> gradient_growth(std::span<const std::int64_t> gradients) {
  std::vector<std::uint64_t> keys;
  keys.reserve(gradients.size());
  for (const std::int64_t g : gradients) {
    const auto bits = static_cast<std::uint64_t>(g);
    keys.push_back(g < 0 ? 0 - bits : bits);
  }
  return keys;
}

std::vector<bool> exchanged(const std::vector<bool>& kept, std::span<const float> weights,
                            std::span<const std::uint64_t> growth, std::uint64_t count) {
  std::vector<std::uint64_t> in = places(kept, true), out = places(kept, false);
  invariant(weights.size() == kept.size() && growth.size() == kept.size() && count <= in.size() && count <= out.size(),
            "a deal exchanges weights that there are");
  std::vector<bool> next = kept;
  largest_first(in, in.size() - count, [&](std::uint64_t k) { return magnitude(weights[k]); });
  largest_first(out, count, [&](std::uint64_t k) { return growth[k]; });
  for (std::uint64_t n = in.size() - count; n < in.size(); ++n) next[in[n]] = false;
  for (std::uint64_t n = 0; n < count; ++n) next[out[n]] = true;
  return next;
}

std::vector<bool> pruned(const std::vector<bool>& kept, std::span<const float> weights, std::uint64_t count) {
  std::vector<std::uint64_t> in = places(kept, true);
  invariant(weights.size() == kept.size(), "a weight for each bit");
  if (in.size() <= count) return kept;
  largest_first(in, count, [&](std::uint64_t k) { return magnitude(weights[k]); });
  std::vector<bool> next(kept.size());
  for (std::uint64_t n = 0; n < count; ++n) next[in[n]] = true;
  return next;
}

}  // namespace weft
