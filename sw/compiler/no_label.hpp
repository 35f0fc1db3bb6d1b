/// A label that is none.
#pragma once

#include <cstdint>

namespace weft {

/// Its token counts for nothing: no loss, no gradient, no part in the mean. No id is so large, and no physical index:
/// compile() checks.
inline constexpr std::uint16_t kNoLabel = 0xffff;

}  // namespace weft
