#include "host/data/class_weight.hpp"

#include <algorithm>

#include "sw/base/token_id.hpp"

namespace weft::data {

float ClassWeight::of(std::uint64_t position, const std::function<Batch()>& samples) {
  const std::lock_guard lock(mutex_);
  if (known_ && position == position_) return weight_;
  const Batch step = samples();
  const auto tokens = std::ranges::count_if(step.labels, [](TokenId word) { return token_label(word) != kNoLabel; });
  const auto classes = std::ranges::count_if(step.labels, [](TokenId word) { return class_label(word) != kNoLabel; });
  weight_ = classes == 0 ? 1 : static_cast<float>(static_cast<double>(tokens) / static_cast<double>(classes));
  known_ = true, position_ = position;
  return weight_;
}

}  // namespace weft::data
