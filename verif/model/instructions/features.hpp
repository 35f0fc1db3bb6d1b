/// Shared parts of the two instructions that read W's stream: locating features by index, and the end of the stream.
#pragma once

#include <algorithm>

#include "verif/model/machine/machine.hpp"

namespace weft::model {

/// Locates the x of 1 to n indices: those up to the first that is not contiguous in memory, or a copy of the first
/// alone if it is not contiguous. Valid until the next call. Returns the number located.
int find_features(Machine& m, const VectorOp& op, const std::uint16_t* index, int n, const std::uint16_t** x);

/// As find_features(), but locates only contiguous vectors, possibly none, and raises no flag.
inline int locate_features(const Machine& m, const VectorOp& op, const std::uint16_t* index, int n,
                           const std::uint16_t** x) {
  const unsigned base = op.ra, stride = op.sta, mask = op.lmask;
  return m.sram.locate(
      n, op.vl, [=](int j) { return static_cast<std::uint16_t>(base + (index[j] & mask) * stride); }, x);
}

/// Watches these features: Sram::on_write is called before one of them is written.
inline void watch_features(Machine& m, const VectorOp& op, const std::uint16_t* const* x, int n) {
  if (!n) return;
  const auto [first, last] = std::minmax_element(x, x + n);
  const auto address = [&](const std::uint16_t* p) {
    return static_cast<unsigned>((p - m.sram.at(0)) / m.place.columns.count);
  };
  m.sram.watch(address(*first), address(*last) + static_cast<unsigned>(op.vl * m.place.shape.lanes));
}

/// Takes the CR if it is next. Any other command also ends the stream.
Outcome end_of_stream(Machine& m, VectorOp& op);

}  // namespace weft::model
