#include "verif/model/edge/west.hpp"

#include <cstring>
#include <stdexcept>

#include "verif/model/numbers/simd.hpp"

namespace weft::model {

std::size_t West::reserve(int slots, int columns) {
  parts_.push_back({Kind::Sums, slots, columns});
  const std::size_t at = words_.size();
  words_.resize(at + static_cast<std::size_t>(columns) * kVector);
  return at;
}

std::size_t West::reserve_words(int count) {
  if (!parts_.empty() && parts_.back().kind == Kind::Words)
    parts_.back().count += count;
  else
    parts_.push_back({Kind::Words, count, 0});
  const std::size_t at = words_.size();
  words_.resize(at + static_cast<std::size_t>(count));
  return at;
}

void West::words(std::span<const std::uint32_t> words) {
  parts_.push_back({Kind::Words, static_cast<int>(words.size()), 0});
  words_.insert(words_.end(), words.begin(), words.end());
}

void West::word(std::uint32_t word) {
  parts_.push_back({Kind::Word, 1, 0});
  words_.push_back(word);
}

void West::join(std::span<const West* const> slices, std::vector<std::uint32_t>& outlet) {
  std::vector<const std::uint32_t*> next;  // position in each slice
  for (const West* slice : slices) {
    if (slice->parts_.size() != slices[0]->parts_.size()) throw std::logic_error("slices of a row are out of step");
    next.push_back(slice->words_.data());
  }
  for (std::size_t i = 0; i < slices[0]->parts_.size(); ++i) {
    const Part& part = slices[0]->parts_[i];
    if (part.kind == Kind::Sums) {
      V sum{};
      for (std::size_t s = slices.size(); s-- > 0;) {
        const bool last = s + 1 == slices.size();  // starts the sum instead of adding to zero, which would change -0
        for (int column = 0; column < slices[s]->parts_[i].columns; ++column, next[s] += kVector)
          sum = last ? load_as<V>(next[s]) : add(sum, load_as<V>(next[s]));
      }
      const V visible = canonical_nan(sum);
      const auto* words = reinterpret_cast<const std::uint32_t*>(&visible);
      outlet.insert(outlet.end(), words, words + part.count);
    } else {
      const std::size_t senders = part.kind == Kind::Words ? slices.size() : 1;
      for (std::size_t s = 0; s < slices.size(); ++s) {
        const int count = slices[s]->parts_[i].count;
        if (s < senders) outlet.insert(outlet.end(), next[s], next[s] + count);
        next[s] += count;
      }
    }
  }
}

}  // namespace weft::model
