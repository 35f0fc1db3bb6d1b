/// Static, unstructured masks: selects which weights of a tensor are kept.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace weft::memoryx {

/// Elements of a tensor that a mask of this sparsity (0..1) keeps: round((1 - sparsity) * size), halves away from zero.
std::uint64_t kept_elements(std::uint64_t size, double sparsity);

/// A bit for each of `size` elements, true: kept. Every choice of kept_elements() elements is equally likely. Depends
/// only on the seed, the tensor's name and its size.
std::vector<bool> random_mask(std::string_view name, std::uint64_t size, double sparsity, std::uint64_t seed);

/// Keeps the weights of the largest magnitude, the first of equal ones.
std::vector<bool> topk_mask(std::span<const float> weights, double sparsity);

}  // namespace weft::memoryx
