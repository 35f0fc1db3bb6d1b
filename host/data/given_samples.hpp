/// Samples that the calling program gives, step by step.
#pragma once

#include <cstdint>
#include <mutex>

#include "host/data/samples.hpp"

namespace weft::data {

/// An endless sequence of samples, of which those of one step are there at a time. The sequence has no checksum, since
/// it is not known in advance.
class GivenSamples final : public Samples {
 public:
  static constexpr std::uint64_t kEndless = std::uint64_t{1} << 62;

  explicit GivenSamples(int seq) : seq_(static_cast<std::size_t>(seq)) {}

  /// Samples `first`, `first` + 1, ... replace those that are there. `batch` has at least one whole sample. Must not be
  /// called while a step reads samples.
  void give(std::uint64_t first, Batch batch);

  std::uint64_t size() const override { return kEndless; }
  std::uint64_t tokens() const override { return 0; }
  std::uint32_t checksum() const override { return 0; }
  bool all_count() const override { return false; }
  void append(std::uint64_t k, Batch& batch) const override;

 private:
  const std::size_t seq_;
  mutable std::mutex mutex_;
  std::uint64_t first_ = 0;
  Batch given_;
};

}  // namespace weft::data
