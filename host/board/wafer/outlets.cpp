#include "host/board/wafer/outlets.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace weft::board {

Outlets::Outlets(int rows)
    : unpacker_(rows), outlets_(static_cast<std::size_t>(rows)), fresh_(outlets_.size()), taken_(outlets_.size()) {}

bool Outlets::put(std::span<const std::uint8_t> bytes) {
  if (!unpacker_.put(bytes, fresh_)) return false;
  for (std::size_t r = 0; r < outlets_.size(); ++r) {
    outlets_[r].insert(outlets_[r].end(), fresh_[r].begin(), fresh_[r].end());
    taken_[r] += fresh_[r].size();
    fresh_[r].clear();
  }
  return true;
}

bool Outlets::delivered(std::span<const std::uint64_t> totals) const {
  for (std::size_t r = 0; r < totals.size(); ++r)
    if (taken_[r] < totals[r]) return false;
  return true;
}

std::string Outlets::missing(std::span<const std::uint64_t> totals) const {
  std::string text;
  for (std::size_t r = 0; r < totals.size(); ++r)
    if (taken_[r] < totals[r]) text += fmt::format("; row {} has delivered {} of {} words", r, taken_[r], totals[r]);
  return text;
}

void Outlets::begin() {
  unpacker_.begin();
  for (auto& words : outlets_) words.clear();
  std::ranges::fill(taken_, 0);
}

}  // namespace weft::board
