/// Colors of streams.
#pragma once

#include <span>
#include <vector>

#include "host/programs/routes.hpp"

namespace weft::programs {

/// A color for each stream, in their order. Two streams may have one color if no tile has routes of both. A color that
/// a stream names stays; the others get the first that is free, streams with fewer choices first. The color WEST brings
/// nothing to `rcv` and `vr` in the last column (docs/reference/pe.md), so no stream with a receiver there has it.
/// Throws Refusal for a color that is not built, is W, or is used twice, and if no color is left.
std::vector<int> colors_of(std::span<const Stream> streams, std::span<const StreamRoutes> routes,
                           const machine::WaferShape& shape);

}  // namespace weft::programs
