/// What the two instructions that take W's stream share: the features its indices name, and its end.
#pragma once

#include <algorithm>

#include "verif/model/machine/machine.hpp"

namespace weft::model {

/// Finds the x of 1 to n indices: as many as lie in one piece each. If that is not so for the first, only it. Valid
/// until the next one. Returns how many.
int find_features(Machine& m, const VectorOp& op, const std::uint16_t* index, int n, const std::uint16_t** x);

/// The same, but only finds those that lie in one piece, perhaps none. Raises no flag.
inline int locate_features(const Machine& m, const VectorOp& op, const std::uint16_t* index, int n,
                           const std::uint16_t** x) {
  const unsigned base = op.ra, stride = op.sta, mask = op.lmask;
  return m.memory.locate(
      n, op.vl, [=](int j) { return static_cast<std::uint16_t>(base + (index[j] & mask) * stride); }, x);
}

/// Memory tells before one of these features is written.
inline void watch_features(Machine& m, const VectorOp& op, const std::uint16_t* const* x, int n) {
  if (!n) return;
  const auto [first, last] = std::minmax_element(x, x + n);
  const auto address = [&](const std::uint16_t* p) {
    return static_cast<unsigned>((p - m.memory.at(0)) / m.place.columns.count);
  };
  m.memory.watch(address(*first), address(*last) + static_cast<unsigned>(op.vl * m.place.shape.lanes));
}

/// Takes the CR, if it is next. Any other command ends the stream as well.
Outcome end_of_stream(Machine& m, VectorOp& op);

}  // namespace weft::model
