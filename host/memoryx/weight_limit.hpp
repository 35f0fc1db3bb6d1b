/// The limit of a weight's size, beyond which training has diverged.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "host/memoryx/store.hpp"
#include "sw/compiler/plan/plan.hpp"

namespace weft::memoryx {

/// Weights of a working model stay far below; NaN counts as larger. A loss may look sound for a step or two after a
/// weight has diverged, because LayerNorm removes the scale.
inline constexpr float kWeightLimit = 1048576.0F;  // 2^20

/// The size of a weight as an integer: without the sign, the bits of fp32 order like integers, infinity and NaN last.
constexpr std::uint32_t weight_size(float weight) { return std::bit_cast<std::uint32_t>(weight) & 0x7FFFFFFFU; }
inline constexpr std::uint32_t kWeightSizeLimit = weight_size(kWeightLimit);

/// Describes the first of `tensors` with weights that are not below the limit, or returns nothing. `weights` is the
/// flat vector.
std::optional<std::string> beyond_weight_limit(std::span<const compiler::TensorInfo> tensors,
                                               std::span<const float> weights);
/// Overload for a store's weights.
std::optional<std::string> beyond_weight_limit(std::span<const compiler::TensorInfo> tensors, ParameterStore& store);

}  // namespace weft::memoryx
