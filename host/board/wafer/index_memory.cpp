#include <algorithm>

#include "host/board/wafer/packer.hpp"

namespace weft::board {

bool IndexMemory::has(std::size_t at, std::span<const std::uint16_t> list) const {
  return std::equal(list.begin(), list.end(), memory_.begin() + static_cast<std::ptrdiff_t>(at));
}

std::optional<std::uint16_t> IndexMemory::find(std::span<const std::uint16_t> list) const {
  if (list.empty()) return std::uint16_t{0};
  if (list.size() > entries_) return {};
  if (has(last_, list)) return static_cast<std::uint16_t>(last_);
  for (std::size_t at = 0; at < entries_; ++at) {
    if (memory_[at] != list.front() || !has(at, list)) continue;
    last_ = at;
    return static_cast<std::uint16_t>(at);
  }
  return {};
}

std::uint16_t IndexMemory::write(std::span<const std::uint16_t> list) {
  const std::size_t at = next_;
  for (const std::uint16_t index : list) {
    memory_[next_] = memory_[next_ + entries_] = index;
    next_ = (next_ + 1) % entries_;
  }
  return static_cast<std::uint16_t>(at);
}

void IndexMemory::forget() { std::ranges::fill(memory_, kUnknown); }

}  // namespace weft::board
