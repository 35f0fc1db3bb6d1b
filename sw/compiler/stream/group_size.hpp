/// Choice of the size of a gradient's groups of indices.
#pragma once

#include <map>

namespace weft::compiler {

/// Numbers of outputs, by their number of indices in their fullest row, which all rows wait for.
using IndexCounts = std::map<int, long>;

/// Indices of a full group, 1..16: the number that takes the fewest cycles (docs/reference/pe.md) for all outputs; of
/// several such numbers the smallest, with which groups are most even.
int group_size(const IndexCounts& outputs, int beats);

/// Cycles of the vector unit in a gradient, for all outputs of `beats` entries each: the vector that goes round the
/// ring, then groups of group_size(). The sum along the lanes is not counted, as its time does not depend on the
/// outputs to which indices belong.
long gradient_beats(const IndexCounts& outputs, int beats);

}  // namespace weft::compiler
