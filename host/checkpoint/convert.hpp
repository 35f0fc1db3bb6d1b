/// Floating-point numbers of a file as fp32.
#pragma once

#include <cstdint>
#include <span>

#include "host/checkpoint/safetensors.hpp"

namespace weft {

/// Whether `to_float` knows the type: F32, F16, BF16.
bool is_float(Dtype dtype);

/// Exactly the same numbers. `out` has as many elements as `bytes`.
void to_float(Dtype dtype, std::span<const std::uint8_t> bytes, std::span<float> out);

}  // namespace weft
