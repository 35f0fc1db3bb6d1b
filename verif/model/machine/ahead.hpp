/// Sums of outputs whose weights are all there, made before their vaxs runs: several at a time, so that a feature is
/// read once for all of them.
///
/// They are what the vaxs would make of accumulators that are +0, if W, the operands and the features are as they were
/// when the sums were made. W is a queue, so its place says that; Memory::watch says that no feature was written.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "verif/model/machine/aligned.hpp"
#include "verif/model/machine/thread.hpp"

namespace weft::model {

class Ahead {
 public:
  static constexpr int kOutputs = 8;  ///< at a time

  /// `width`: floats of an accumulator entry.
  explicit Ahead(int width) : width_(static_cast<std::size_t>(width)) {}

  /// Room for the sums of all outputs, [beat][col][lane] each, one behind the other: of so many beats, to be filled.
  /// What was there is gone.
  float* room(int vl) {
    drop();
    if (vl > room_) {
      sums_ = Aligned<float>(kOutputs * static_cast<std::size_t>(vl) * width_);
      room_ = vl;  // if there was memory
    }
    return sums_->data();
  }
  /// They are: output k's weights begin when `places[k]` messages of W are taken.
  void made(const VectorOp& op, const std::array<std::uint64_t, kOutputs>& places) {
    op_ = {op.ra, op.sta, op.lmask, op.vl};
    places_ = places;
    next_ = 0;
  }
  /// The sums of the output whose weights begin here, which is then done with; null: they are not there.
  const float* take(const VectorOp& op, std::uint64_t place) {
    if (next_ == kOutputs) return nullptr;
    if (places_[static_cast<std::size_t>(next_)] != place || op_ != Operands{op.ra, op.sta, op.lmask, op.vl})
      return drop(), nullptr;
    return sums_->data() + static_cast<std::size_t>(next_++) * static_cast<std::size_t>(op.vl) * width_;
  }
  bool any() const { return next_ < kOutputs; }
  /// They hold no longer.
  void drop() { next_ = kOutputs; }

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
  int next_ = kOutputs;
};

}  // namespace weft::model
