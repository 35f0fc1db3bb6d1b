/// Writes a checkpoint in parts, in any order, by several threads, without a second copy in memory.
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

namespace weft::checkpoint {

class CheckpointWriter {
 public:
  enum Vector : std::uint8_t { kWeights, kFirstMoments, kSecondMoments, kVectors };

  /// Begins the file, which is not visible before commit(). Masks are written at once. `moments`: number of moment
  /// vectors. Throws Refusal, as all functions do.
  CheckpointWriter(const std::string& file, std::span<const compiler::TensorInfo> tensors, std::uint64_t step,
                   const compiler::Mask* mask, const Metadata& about, int moments = 2);

  /// Writes a part of a flat vector, from element `first` on; each element must be written once. Thread-safe.
  void write(Vector vector, std::uint64_t first, std::span<const float> values);
  /// Call when all parts are written: the file is on disk under its name when this returns. `may_appear` is called when
  /// all bytes are on disk, before the file is renamed, and throws if the file must not appear.
  void commit(const std::function<void()>& may_appear = [] {});

 private:
  struct Part {
    std::uint64_t bytes = 0;
    std::uint32_t checksum = 0;
  };
  void write_at(std::uint64_t offset, std::span<const std::uint8_t> bytes);

  std::vector<compiler::TensorInfo> tensors_;
  std::uint64_t vectors_;  // weights and moments
  std::string header_;
  std::uint64_t vector_bytes_ = 0;  // size of one vector
  AtomicFile file_;
  std::mutex mutex_;                     // guards parts_
  std::map<std::uint64_t, Part> parts_;  // parts written, by offset after the header
};

}  // namespace weft::checkpoint
