/// The sums of slots along the lanes of each column and along the columns, in the order of docs/numbers.md.
#pragma once

#include <cstddef>

#include "verif/model/machine/machine.hpp"
#include "verif/model/step/west.hpp"

namespace weft::model {

inline constexpr int kSlots = 16;  ///< of a group, at most

/// Room for reduce_lanes().
std::size_t reserve_sums(const Machine& m, West& west, int count);
/// The sums of `count` slots, [col][lane] each, of which 64 bytes past their end may be read: to be added up column by
/// column from the east, or so added if the wafer's last column is here.
void reduce_lanes(Machine& m, const float* const* slots, int count, float* to);

}  // namespace weft::model
