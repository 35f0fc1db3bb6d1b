/// Temporary buffers for a single instruction. Machines of one width that run in turn share them, so that they stay
/// small and in the cache.
#pragma once

#include <cstddef>
#include <optional>

#include "sw/machine/shape.hpp"
#include "verif/model/machine/aligned.hpp"

namespace weft::model {

class Scratch {
 public:
  /// `width`: floats of an accumulator entry.
  explicit Scratch(int width) : a(floats(width)), b(floats(width)), width_(width) {}

  /// A vector of +0 of the maximum length.
  const float* zeros() {
    if (!zeros_) zeros_.emplace(floats(width_));
    return zeros_->data();
  }

  Aligned<float> a, b;  ///< operands of a vector instruction, [beat or repetition][col][lane]

  /// Room for the sums of make_dots().
  float* sums(std::size_t size) {
    if (size > sums_size_) {
      sums_ = AlignedRoom<float>(2 * size);
      sums_size_ = 2 * size;  // set after the allocation has succeeded
    }
    return sums_.data();
  }

 private:
  static std::size_t floats(int width) {
    return static_cast<std::size_t>(WaferShape::kRDepth) * static_cast<std::size_t>(width);
  }

  int width_;
  std::optional<Aligned<float>> zeros_;
  AlignedRoom<float> sums_;
  std::size_t sums_size_ = 0;
};

}  // namespace weft::model
