/// How large the groups of a gradient's indices should be, so that they are even.
#pragma once

#include <map>

namespace weft {

/// Outputs by the number of indices that they have in their fullest row, for which everybody waits.
using IndexCounts = std::map<int, long>;

/// Indices of a full group, 1..16: the fewest cycles for all outputs, as docs/pe.md has them; the smallest that takes so
/// few, which makes groups most even.
int group_size(const IndexCounts& outputs, int beats);

/// Cycles of a gradient's vector unit for all outputs, of `beats` entries each: the vector that comes round, then
/// groups of that size. A sum along the lanes is not counted: it takes as long whatever output an index is of.
long gradient_beats(const IndexCounts& outputs, int beats);

}  // namespace weft
