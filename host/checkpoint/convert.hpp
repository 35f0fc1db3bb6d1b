/// Floating-point numbers of a file as fp32.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "host/checkpoint/safetensors.hpp"

namespace weft {

/// Whether `to_float` knows the type: F32, F16, BF16.
bool is_float(Dtype dtype);

/// Exactly the same numbers. `out` has as many elements as `bytes`.
void to_float(Dtype dtype, std::span<const std::uint8_t> bytes, std::span<float> out);

/// F32: the same bits; F16, BF16: the nearest numbers, ties to even, subnormal ones too. `bytes` has as many elements
/// as `values`. Returns the place of the first one that F16 or BF16 has no finite number for; then what it wrote is no
/// use.
std::optional<std::size_t> from_float(Dtype dtype, std::span<const float> values, std::span<std::uint8_t> bytes);

}  // namespace weft
