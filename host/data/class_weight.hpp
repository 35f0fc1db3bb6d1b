/// The weight of the first of two losses against the second, by which gradients are divided.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>

#include "host/data/samples.hpp"

namespace weft::data {

/// The total loss of a step is the sum of two means: over the tokens with a label, and over those with a class. MemoryX
/// divides all gradients by the number of labels, so those of classes are multiplied by labels / classes. Keeps the
/// weight of the last step. Thread-safe.
class ClassWeight {
 public:
  /// The weight of the step that begins at `position`. Calls `samples` for all samples of the step unless it was asked
  /// for last.
  float of(std::uint64_t position, const std::function<Batch()>& samples);

 private:
  std::mutex mutex_;
  bool known_ = false;
  std::uint64_t position_ = 0;
  float weight_ = 1;
};

}  // namespace weft::data
