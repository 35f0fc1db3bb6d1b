/// Conversion between the floating-point types of files and fp32.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "host/checkpoint/safetensors.hpp"

namespace weft::checkpoint {

/// True if `to_float` supports the type: F32, F16, BF16.
bool is_float(Dtype dtype);

/// Converts exactly. `out` has as many elements as `bytes`.
void to_float(Dtype dtype, std::span<const std::uint8_t> bytes, std::span<float> out);

/// F32: copies the bits; F16, BF16: rounds to nearest, ties to even, with subnormals. `bytes` has as many elements as
/// `values`. Returns the index of the first value without a finite F16 or BF16 equivalent, in which case `bytes` is
/// unspecified.
std::optional<std::size_t> from_float(Dtype dtype, std::span<const float> values, std::span<std::uint8_t> bytes);

}  // namespace weft::checkpoint
