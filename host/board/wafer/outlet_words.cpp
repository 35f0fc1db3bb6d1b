#include "host/board/wafer/outlet_words.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace weft::board {

OutletWords::OutletWords(int rows)
    : unpacker_(rows), words_(static_cast<std::size_t>(rows)), fresh_(words_.size()), taken_(words_.size()) {}

bool OutletWords::add(std::span<const std::uint8_t> bytes) {
  if (!unpacker_.unpack(bytes, fresh_)) return false;
  for (std::size_t r = 0; r < words_.size(); ++r) {
    words_[r].insert(words_[r].end(), fresh_[r].begin(), fresh_[r].end());
    taken_[r] += fresh_[r].size();
    fresh_[r].clear();
  }
  return true;
}

bool OutletWords::delivered(std::span<const std::uint64_t> totals) const {
  for (std::size_t r = 0; r < totals.size(); ++r)
    if (taken_[r] < totals[r]) return false;
  return true;
}

std::string OutletWords::missing(std::span<const std::uint64_t> totals) const {
  std::string text;
  for (std::size_t r = 0; r < totals.size(); ++r)
    if (taken_[r] < totals[r]) text += fmt::format("; row {} has delivered {} of {} words", r, taken_[r], totals[r]);
  return text;
}

void OutletWords::begin() {
  unpacker_.begin();
  for (auto& words : words_) words.clear();
  std::ranges::fill(taken_, 0);
}

}  // namespace weft::board
