/// Precomputed sums of outputs whose weights have all arrived before their vaxs runs: several outputs at a time, so
/// that each feature is read once for all of them.
///
/// The sums equal what vaxs would compute from accumulators that are +0, provided that W, the operands and the features
/// are unchanged since. W is a queue, so its position identifies it; Sram::watch detects writes to features.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "verif/model/machine/aligned.hpp"
#include "verif/model/machine/thread.hpp"

namespace weft::model {

class PrecomputedSums {
 public:
  static constexpr int kOutputs = 8;  ///< computed at a time, at most

  /// `width`: floats of an accumulator entry.
  explicit PrecomputedSums(int width) : width_(static_cast<std::size_t>(width)) {}

  /// Room for the sums of all outputs, consecutive, [beat][col][lane] of `vl` beats each, to be filled by the caller.
  /// Invalidates earlier sums.
  float* room(int vl) {
    drop();
    if (vl > room_) {
      sums_ = Aligned<float>(kOutputs * static_cast<std::size_t>(vl) * width_);
      room_ = vl;  // set after the allocation has succeeded
    }
    return sums_->data();
  }
  /// Declares the sums of the first outputs valid: output k's weights begin when `places[k]` messages of W have been
  /// taken.
  void made(const VectorOp& op, std::span<const std::uint64_t> places) {
    op_ = {op.ra, op.sta, op.lmask, op.vl};
    std::copy(places.begin(), places.end(), places_.begin());
    next_ = 0;
    end_ = static_cast<int>(places.size());
  }
  /// The sums of the output whose weights begin at `place`, consumed by this call. Null if there are none.
  const float* take(const VectorOp& op, std::uint64_t place) {
    if (!any()) return nullptr;
    if (places_[static_cast<std::size_t>(next_)] != place || op_ != Operands{op.ra, op.sta, op.lmask, op.vl})
      return drop(), nullptr;
    return sums_->data() + static_cast<std::size_t>(next_++) * static_cast<std::size_t>(op.vl) * width_;
  }
  bool any() const { return next_ < end_; }
  /// Invalidates the sums.
  void drop() { next_ = end_; }

 private:
  struct Operands {
    std::uint16_t ra = 0, sta = 0, lmask = 0;
    int vl = 0;
    bool operator==(const Operands&) const = default;
  };

  std::size_t width_;
  std::optional<Aligned<float>> sums_;
  int room_ = 0;  ///< beats that sums_ has room for
  Operands op_;
  std::array<std::uint64_t, kOutputs> places_{};
  int next_ = 0, end_ = 0;
};

}  // namespace weft::model
