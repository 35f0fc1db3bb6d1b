/// The flat parameters of a plan, for code that generates streams. Some may be out of memory until they are requested.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace weft::compiler {

/// Loads parameters that are out of memory.
class ParameterHold {
 public:
  virtual ~ParameterHold() = default;
  /// Returns when `count` parameters from `first` on can be read; they stay readable until the next call.
  virtual void need(const float* first, std::size_t count) = 0;
};

class Parameters {
 public:
  /// `all` and `hold` must outlive this. `hold` null: all parameters are in memory.
  Parameters(std::span<const float> all, ParameterHold* hold = nullptr) : all_(all), hold_(hold) {}  // NOLINT
  Parameters(const std::vector<float>& all) : all_(all) {}                                           // NOLINT

  bool empty() const { return all_.empty(); }
  float operator[](std::uint64_t index) const { return *at(index, 1); }
  /// `count` parameters from number `index` on; valid until the next request.
  const float* at(std::uint64_t index, std::size_t count) const {
    const float* const first = all_.data() + index;
    if (hold_ != nullptr) [[unlikely]]
      hold_->need(first, count);
    return first;
  }
  /// Prefetches a parameter into the cache. Does not load a parameter that is out of memory.
  void prefetch(std::uint64_t index) const { __builtin_prefetch(all_.data() + index); }

 private:
  std::span<const float> all_;
  ParameterHold* hold_ = nullptr;
};

}  // namespace weft::compiler
