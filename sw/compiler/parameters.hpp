/// The flat parameters of a plan, as who makes a stream of them reads them: some may be away until they are asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace weft {

/// Brings parameters that are away.
class ParameterHold {
 public:
  virtual ~ParameterHold() = default;
  /// Returns when `count` parameters from `first` on can be read; until the next call they can.
  virtual void need(const float* first, std::size_t count) = 0;
};

class Parameters {
 public:
  /// All of them are here. They must outlive this, as `hold`, which may be null.
  Parameters(std::span<const float> all, ParameterHold* hold = nullptr) : all_(all), hold_(hold) {}  // NOLINT
  Parameters(const std::vector<float>& all) : all_(all) {}                                           // NOLINT

  bool empty() const { return all_.empty(); }
  float operator[](std::uint64_t index) const { return *at(index, 1); }
  /// `count` parameters from number `index` on, until the next that are asked for.
  const float* at(std::uint64_t index, std::size_t count) const {
    const float* const first = all_.data() + index;
    if (hold_ != nullptr) [[unlikely]]
      hold_->need(first, count);
    return first;
  }
  /// They are read soon. Brings none that is away.
  void prefetch(std::uint64_t index) const { __builtin_prefetch(all_.data() + index); }

 private:
  std::span<const float> all_;
  ParameterHold* hold_ = nullptr;
};

}  // namespace weft
