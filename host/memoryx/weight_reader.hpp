/// Reads weights that may not be resident, for a stream.
#pragma once

#include "host/memoryx/memoryx.hpp"
#include "host/memoryx/pages/pinned_pages.hpp"
#include "sw/compiler/stream/parameters.hpp"

namespace weft::memoryx {

/// Pins a few pages of the weights, and prefetches. For one thread; `memoryx` must outlive it.
class WeightReader final : public compiler::ParameterHold {
 public:
  explicit WeightReader(const MemoryX& memoryx);
  WeightReader(const WeightReader&) = delete;
  WeightReader& operator=(const WeightReader&) = delete;

  /// Views of tensors that were waited for. They must not outlive this.
  compiler::Parameters parameters() { return {memoryx_.parameters(), memoryx_.pages() == nullptr ? nullptr : this}; }
  void need(const float* first, std::size_t count) override { pinned_.pin(std::span(first, count)); }

 private:
  const MemoryX& memoryx_;
  PinnedPages pinned_;
};

}  // namespace weft::memoryx
