/// The number of a token in its vocabulary.
#pragma once

#include <cstdint>

namespace weft {

using TokenId = std::uint32_t;

/// Tokens of a vocabulary at most (blocks.hpp).
inline constexpr int kMostTokens = 5 * 65535;

/// A label that is none: its token counts for nothing, no loss, no gradient, no part in the mean.
inline constexpr TokenId kNoLabel = 0xffffffff;

}  // namespace weft
