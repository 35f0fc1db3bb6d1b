/// The accumulator file R of some neighbouring columns, [entry][col][lane] fp32.
///
/// A computed NaN has whatever bits the CPU produced; `visible` makes them canonical. Words moved to R from a stream
/// must keep their bits: from the first such NaN that is not canonical on (`keep_nans`), computed values are made
/// canonical as soon as they are written.
#pragma once

#include <algorithm>
#include <cstddef>

#include "sw/base/bf16.hpp"
#include "sw/machine/shape.hpp"
#include "verif/model/machine/aligned.hpp"
#include "verif/model/machine/columns.hpp"
#include "verif/model/numbers/simd.hpp"

namespace weft::model {

class Accumulators {
 public:
  explicit Accumulators(int width)
      : width_(width), r_(static_cast<std::size_t>(machine::WaferShape::kRDepth) * width) {}

  /// The entry, modulo RDEPTH.
  float* at(int entry) { return r_.data() + static_cast<std::size_t>(entry & kMask) * width_; }
  const float* at(int entry) const { return r_.data() + static_cast<std::size_t>(entry & kMask) * width_; }

  /// Number of contiguous entries from this one on.
  static int to_end(int entry) { return machine::WaferShape::kRDepth - (entry & kMask); }
  /// Calls f(first beat, beats) for the contiguous parts of R[entry ...].
  template <class F>
  static void pieces(int entry, int beats, F f) {
    const int first = std::min(beats, to_end(entry));
    f(0, first);
    if (first < beats) f(first, beats - first);
  }

  /// A vector of R as visible from outside.
  V visible(V x) const { return keeps_nans_ ? x : canonical_nan(x); }
  /// The bits of the k-th number of an entry, as visible from outside.
  std::uint32_t visible(int entry, int k) const {
    const std::uint32_t bits = as_bits(at(entry)[k]);
    return keeps_nans_ || !weft::is_nan(bits) ? bits : kNan;
  }

  /// Copies column `col` of another file to column `to`.
  void copy_column(const Accumulators& other, int col, int to, int lanes);

  /// Must be called before `words` are written that are moved and not computed.
  void moves(const float* words, int size) {
    if (!keeps_nans_ && any_odd_nan(words, size)) keep_nans();
  }
  /// True if no NaN that was moved must keep its bits: computed values become canonical where they are visible.
  bool computed_are_canonical() const { return !keeps_nans_; }
  /// Must be called after `beats` entries have been computed.
  void computed(int entry, int beats) {
    if (keeps_nans_) make_canonical(entry, beats);
  }

 private:
  static constexpr int kMask = machine::WaferShape::kRDepth - 1;

  static bool any_odd_nan(const float* words, int size);
  void keep_nans();
  void make_canonical(int entry, int beats);

  int width_;
  bool keeps_nans_ = false;
  Aligned<float> r_;
};

}  // namespace weft::model
