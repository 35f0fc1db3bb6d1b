/// Mask updates of dynamic sparsity: selects the weights to drop and to grow. The result is the same on all machines,
/// because ties are broken by the position in the tensor.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace weft::memoryx {

/// The fraction of a schedule that is left after `done` of `all` updates: from 1 to 0 along half a cosine (Evci et al.,
/// Rigging the Lottery, 2020).
double cosine_left(std::uint64_t done, std::uint64_t all);

/// The sparsity after `done` of `all` updates, from `first` to `last` along a cubic (Zhu and Gupta, To prune, or not to
/// prune, 2017).
double gradual_sparsity(double first, double last, std::uint64_t done, std::uint64_t all);

/// Number of weights that a mask update exchanges when `kept` of `size` are kept: `fraction` of `kept`, rounded down,
/// but at most the number that is pruned.
std::uint64_t drop_and_grow_count(std::uint64_t kept, std::uint64_t size, double fraction);

/// Random growth keys for a tensor's elements: a pure function of the four arguments.
std::vector<std::uint64_t> random_growth(std::string_view name, std::uint64_t size, std::uint64_t step,
                                         std::uint64_t seed);

/// Growth keys from the magnitude of gradients, which are exact sums (fixed_point.hpp).
std::vector<std::uint64_t> gradient_growth(std::span<const std::int64_t> gradients);

/// Returns the next mask. Drops `count` kept elements, those of the smallest magnitude (the last of equal ones), and
/// grows `count` elements that were pruned before, those with the largest `growth` (the first of equal ones). All
/// vectors are indexed by element. At least `count` elements must be kept, and as many pruned.
std::vector<bool> drop_and_grow(const std::vector<bool>& kept, std::span<const float> weights,
                                std::span<const std::uint64_t> growth, std::uint64_t count);

/// Keeps `count` of the `kept` elements, those of the largest magnitude, the first of equal ones; all of them if there
/// are no more than `count`.
std::vector<bool> pruned(const std::vector<bool>& kept, std::span<const float> weights, std::uint64_t count);

}  // namespace weft::memoryx
