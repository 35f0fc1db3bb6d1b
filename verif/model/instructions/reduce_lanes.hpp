/// Sums of slots along the lanes of each column and along the columns, in the order of docs/reference/numbers.md.
#pragma once

#include <cstddef>

#include "verif/model/edge/west.hpp"
#include "verif/model/machine/machine.hpp"

namespace weft::model {

inline constexpr int kSlots = 16;  ///< slots in a group, at most

/// Reserves the output of reduce_lanes().
std::size_t reserve_sums(const Machine& m, West& west, int count);
/// Sums `count` slots, [col][lane] each; 64 bytes past the end of a slot may be read. A slice with the wafer's last
/// column stores one sum over its columns, added from the east; any other slice stores one sum per column, to be added
/// from the east later. A wafer of one column stores the words that leave it.
void reduce_lanes(Machine& m, const float* const* slots, int count, float* to);

}  // namespace weft::model
