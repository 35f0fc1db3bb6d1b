/// The number of a token in its vocabulary.
#pragma once

#include <cstdint>

namespace weft {

using TokenId = std::uint32_t;

/// The largest number of tokens in a vocabulary (sw/compiler/placement/blocks.hpp).
inline constexpr int kMostTokens = 5 * 65535;

/// A missing label: its token has no loss and no gradient, and does not count in the mean.
inline constexpr TokenId kNoLabel = 0xffffffff;

}  // namespace weft
