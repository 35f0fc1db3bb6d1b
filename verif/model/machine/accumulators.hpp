/// The accumulator file R of some neighbouring columns, [entry][col][lane] fp32.
///
/// The bits of a NaN that was computed are whatever the CPU made of it; `visible` makes them canonical. Words that
/// came on a stream and were moved to R must keep theirs: from the first such NaN on (`keep_nans`), what is computed is
/// made canonical as soon as it is written.
#pragma once

#include <algorithm>
#include <cstddef>

#include "sw/base/bf16.hpp"
#include "sw/machine/shape.hpp"
#include "verif/model/machine/aligned.hpp"
#include "verif/model/machine/columns.hpp"
#include "verif/model/simd.hpp"

namespace weft::model {

class Accumulators {
 public:
  explicit Accumulators(int width) : width_(width), r_(static_cast<std::size_t>(WaferShape::kRDepth) * width) {}

  /// An entry, modulo RDEPTH.
  float* at(int entry) { return r_.data() + static_cast<std::size_t>(entry & kMask) * width_; }
  const float* at(int entry) const { return r_.data() + static_cast<std::size_t>(entry & kMask) * width_; }

  /// Entries from this one on that lie in one piece.
  static int to_end(int entry) { return WaferShape::kRDepth - (entry & kMask); }
  /// Calls f(first beat, beats) for the parts of R[entry ...] that lie in one piece.
  template <class F>
  static void pieces(int entry, int beats, F f) {
    const int first = std::min(beats, to_end(entry));
    f(0, first);
    if (first < beats) f(first, beats - first);
  }

  /// A vector of R as the outside sees it.
  V visible(V x) const { return keeps_nans_ ? x : canonical_nan(x); }
  /// The bits of the k-th number of an entry, as the outside sees them.
  std::uint32_t visible(int entry, int k) const {
    const std::uint32_t bits = as_bits(at(entry)[k]);
    return keeps_nans_ || !weft::is_nan(bits) ? bits : kNan;
  }

  /// Makes column `to` of this what column `col` of another is.
  void copy_column(const Accumulators& other, int col, int to, int lanes);

  /// `words`, moved and not computed, are about to be written.
  void moves(const float* words, int size) {
    if (!keeps_nans_ && any_odd_nan(words, size)) keep_nans();
  }
  /// `beats` entries have been computed.
  void computed(int entry, int beats) {
    if (keeps_nans_) make_canonical(entry, beats);
  }

 private:
  static constexpr int kMask = WaferShape::kRDepth - 1;

  static bool any_odd_nan(const float* words, int size);
  void keep_nans();
  void make_canonical(int entry, int beats);

  int width_;
  bool keeps_nans_ = false;
  Aligned<float> r_;
};

}  // namespace weft::model
