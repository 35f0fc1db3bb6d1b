/// Masks that are dealt anew: which weights go, which come. The same everywhere, as ties go by the place in the tensor.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace weft {

/// The share of a schedule that is left after `done` of `all` updates: from 1 to 0 along half a cosine (Evci et al.,
/// Rigging the Lottery, 2020).
double cosine_left(std::uint64_t done, std::uint64_t all);

/// The sparsity after `done` of `all` updates, from `first` to `last` along a cubic (Zhu and Gupta, To prune, or not to
/// prune, 2017).
double gradual_sparsity(double first, double last, std::uint64_t done, std::uint64_t all);

/// Weights that a deal exchanges of `kept` of `size`: `fraction` of them rounded down, but no more than are left out.
std::uint64_t exchanged_elements(std::uint64_t kept, std::uint64_t size, double fraction);

/// Keys of a tensor's elements by chance: a function of all four alone.
std::vector<std::uint64_t> random_growth(std::string_view name, std::uint64_t size, std::uint64_t step,
                                         std::uint64_t seed);

/// Keys by the magnitude of gradients, which are exact sums (fixed_point.hpp).
std::vector<std::uint64_t> gradient_growth(std::span<const std::int64_t> gradients);

/// Of `kept` leaves `count` out, those of the smallest magnitude, of equal ones the last; and keeps as many of what was
/// left out before, those of the largest `growth`, of equal ones the first. [element] each. At least `count` are kept,
/// and as many left out.
std::vector<bool> exchanged(const std::vector<bool>& kept, std::span<const float> weights,
                            std::span<const std::uint64_t> growth, std::uint64_t count);

/// `count` of `kept`, those of the largest magnitude, of equal ones the first. All, if there are no more.
std::vector<bool> pruned(const std::vector<bool>& kept, std::span<const float> weights, std::uint64_t count);

}  // namespace weft
