/// 64 bits that change if any bit of the parameters or of the optimizer's state does.
#pragma once

#include <cstdint>
#include <span>

#include "host/memoryx/pool.hpp"
#include "host/memoryx/store.hpp"

namespace weft {

/// Hash of the bits of fp32 vectors, in order; the same for any number of threads. Not for use against an adversary.
std::uint64_t hash_floats(std::span<const float> values, Pool& pool, std::uint64_t seed = 0);

/// Weights, first moments, second moments.
std::uint64_t state_hash(ParameterStore& store, Pool& pool);

}  // namespace weft
