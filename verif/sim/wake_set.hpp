/// The set of modules to be clocked at the next edge, and the list of those clocked at the last edge.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace weft::sim {

class WakeSet {
 public:
  /// Creates a set for modules first .. first+count-1, all asleep.
  WakeSet(std::uint32_t first, std::size_t count) : first_(first), bits_((count + 63) / 64) { clocked_.reserve(count); }

  void wake(std::uint32_t index) { bits_[(index - first_) / 64] |= std::uint64_t{1} << (index - first_) % 64; }
  bool has(std::uint32_t index) const { return bits_[(index - first_) / 64] >> (index - first_) % 64 & 1; }
  bool any() const {
    return std::any_of(bits_.begin(), bits_.end(), [](std::uint64_t word) { return word != 0; });
  }
  /// Calls `edge(index)` for each awake module, in order, and puts it to sleep.
  template <class Edge>
  void clock(Edge edge) {
    clocked_.clear();
    for (std::size_t word = 0; word < bits_.size(); ++word) {
      for (std::uint64_t bits = bits_[word]; bits != 0; bits &= bits - 1) {
        const auto index =
            first_ + static_cast<std::uint32_t>(word * 64 + static_cast<unsigned>(std::countr_zero(bits)));
        edge(index);
        clocked_.push_back(index);
      }
      bits_[word] = 0;
    }
  }
  const std::vector<std::uint32_t>& clocked() const { return clocked_; }

 private:
  std::uint32_t first_;
  std::vector<std::uint64_t> bits_;
  std::vector<std::uint32_t> clocked_;
};

}  // namespace weft::sim
