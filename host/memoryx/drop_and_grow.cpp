#include "host/memoryx/drop_and_grow.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <limits>
#include <numbers>
#include <string>
#include <utility>

#include "host/memoryx/normal_rng.hpp"
#include "sw/base/elementary.hpp"
#include "sw/base/invariant.hpp"

namespace weft::memoryx {
namespace {

std::uint32_t magnitude(float weight) { return std::bit_cast<std::uint32_t>(weight) & 0x7fffffffU; }

/// Selects the `count` largest keys, the earliest of equal ones. take() must be called once for each key, in the order
/// of the keys.
class Largest {
 public:
  Largest(std::vector<std::uint64_t> keys, std::uint64_t count) {
    if (count == 0) return;
    // Radix selection: counting by the upper bits leaves only a few keys among which the smallest selected key is
    // searched.
    std::array<std::uint64_t, kGroups> groups{};
    const int shift = std::max(0, static_cast<int>(std::bit_width(*std::ranges::max_element(keys))) - kBits);
    for (const std::uint64_t key : keys) ++groups[key >> shift];
    std::uint64_t group = kGroups - 1, left = count;
    for (; groups[group] < left; --group) left -= groups[group];
    std::erase_if(keys, [&](std::uint64_t key) { return key >> shift != group; });
    const auto last = keys.begin() + static_cast<std::ptrdiff_t>(left - 1);
    std::ranges::nth_element(keys, last, std::greater{});
    least_ = *last;
    equal_ = left - static_cast<std::uint64_t>(
                        std::count_if(keys.begin(), last, [&](std::uint64_t key) { return key > least_; }));
  }
  bool take(std::uint64_t key) { return key > least_ || (key == least_ && equal_ > 0 && equal_-- > 0); }

 private:
  static constexpr int kBits = 11;
  static constexpr std::size_t kGroups = std::size_t{1} << kBits;
  std::uint64_t least_ = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t equal_ = 0;  // how many keys equal to least_ may still be taken
};

}  // namespace

double cosine_left(std::uint64_t done, std::uint64_t all) {
  if (done >= all) return 0;
  return 0.5 * (1 + rounded_cos(std::numbers::pi * (static_cast<double>(done) / static_cast<double>(all))));
}

double gradual_sparsity(double first, double last, std::uint64_t done, std::uint64_t all) {
  if (done >= all) return last;
  const double left = 1 - static_cast<double>(done) / static_cast<double>(all);
  return last + (first - last) * left * left * left;
}

std::uint64_t drop_and_grow_count(std::uint64_t kept, std::uint64_t size, double fraction) {
  return std::min(static_cast<std::uint64_t>(fraction * static_cast<double>(kept)), size - kept);
}

std::vector<std::uint64_t> random_growth(std::string_view name, std::uint64_t size, std::uint64_t step,
                                         std::uint64_t seed) {
  const NormalRng random(seed, "growth of " + std::string(name) + " at " + std::to_string(step));
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

std::vector<bool> drop_and_grow(const std::vector<bool>& kept, std::span<const float> weights,
                                std::span<const std::uint64_t> growth, std::uint64_t count) {
  invariant(weights.size() == kept.size() && growth.size() == kept.size(), "a weight and a key for each bit");
  std::vector<std::uint64_t> in, out;
  for (std::uint64_t k = 0; k < kept.size(); ++k)
    kept[k] ? in.push_back(magnitude(weights[k])) : out.push_back(growth[k]);
  invariant(count <= in.size() && count <= out.size(), "a mask update exchanges existing weights");
  const std::uint64_t staying = in.size() - count;
  Largest stay(std::move(in), staying), grow(std::move(out), count);
  std::vector<bool> next(kept.size());
  for (std::uint64_t k = 0; k < kept.size(); ++k)
    next[k] = kept[k] ? stay.take(magnitude(weights[k])) : grow.take(growth[k]);
  return next;
}

std::vector<bool> pruned(const std::vector<bool>& kept, std::span<const float> weights, std::uint64_t count) {
  invariant(weights.size() == kept.size(), "a weight for each bit");
  std::vector<std::uint64_t> in;
  for (std::uint64_t k = 0; k < kept.size(); ++k)
    if (kept[k]) in.push_back(magnitude(weights[k]));
  if (in.size() <= count) return kept;
  Largest stay(std::move(in), count);
  std::vector<bool> next(kept.size());
  for (std::uint64_t k = 0; k < kept.size(); ++k) next[k] = kept[k] && stay.take(magnitude(weights[k]));
  return next;
}

}  // namespace weft::memoryx
