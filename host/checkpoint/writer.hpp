/// A checkpoint that is written in parts, in any order, by several threads: nothing of it is in memory a second time.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "host/checkpoint/checkpoint.hpp"
#include "host/checkpoint/file.hpp"

namespace weft {

class CheckpointWriter {
 public:
  enum Vector : std::uint8_t { kWeights, kFirstMoments, kSecondMoments, kVectors };

  /// Begins the file, which nobody sees before commit(). Masks are written at once. `moments`: vectors of them.
  /// Throws Refusal, as all of these do.
  CheckpointWriter(const std::string& file, std::span<const TensorInfo> tensors, std::uint64_t step, const Mask* mask,
                   const Metadata& about, int moments = 2);

  /// A part of a flat vector, from element `first` on: each element once. Thread-safe.
  void write(Vector vector, std::uint64_t first, std::span<const float> values);
  /// All has been written: the file is on disk under its name when this returns. `may_appear` is called when its bytes
  /// are on disk, before it gets that name, and throws if it must not.
  void commit(const std::function<void()>& may_appear = [] {});

 private:
  struct Part {
    std::uint64_t bytes = 0;
    std::uint32_t checksum = 0;
  };
  void write_at(std::uint64_t offset, std::span<const std::uint8_t> bytes);

  std::vector<TensorInfo> tensors_;
  std::uint64_t vectors_;  // of weights and moments
  std::string header_;
  std::uint64_t vector_bytes_ = 0;  // of one
  AtomicFile file_;
  std::mutex mutex_;                     // of the next
  std::map<std::uint64_t, Part> parts_;  // of what was written, by offset behind the header
};

}  // namespace weft
