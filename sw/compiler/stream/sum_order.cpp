#include "sw/compiler/stream/sum_order.hpp"

#include <algorithm>

namespace weft::compiler {

const std::vector<std::uint8_t>& SumOrder::of(std::span<const std::size_t> weights, std::size_t each, std::size_t apart,
                                              Begin begin) {
  order_.clear();
  if (weights.empty()) return order_;
  const auto [least, most] = std::ranges::minmax(weights);
  if (most == 0 && begin != Begin::Always) return order_;
  left_.assign(weights.begin(), weights.end());
  if (begin != Begin::Never) {
    for (std::size_t n = 0; n < each; ++n) order_.push_back(static_cast<std::uint8_t>(n));
    for (std::size_t& left : left_) left = std::max<std::size_t>(left, 1) - 1;
  }
  if (most - least > 1)
    fullest_first(apart);
  else
    spread(std::ranges::max(left_));
  return order_;
}

/// Sums with nearly as many weights: rounds. A sum takes part in a round whenever its weights that are due exceed those
/// sent. The start differs from sum to sum, so that not all sums skip the same round.
void SumOrder::spread(std::size_t rounds) {
  due_.resize(left_.size());
  for (std::size_t n = 0; n < due_.size(); ++n) due_[n] = n * rounds / due_.size();
  for (std::size_t round = 0; round < rounds; ++round)
    for (std::size_t n = 0; n < due_.size(); ++n) {
      due_[n] += left_[n];
      if (due_[n] < rounds) continue;
      due_[n] -= rounds;
      order_.push_back(static_cast<std::uint8_t>(n));
    }
}

/// Sums with different numbers of weights: of those that need not wait, the fullest; else the one that waits least.
void SumOrder::fullest_first(std::size_t apart) {
  std::size_t all = 0, time = order_.size();
  ready_.resize(left_.size());
  for (std::size_t n = 0; n < left_.size(); ++n) {
    all += left_[n];
    ready_[n] = order_.empty() ? 0 : n + apart;
  }
  for (; all > 0; --all) {
    std::size_t next = left_.size();
    for (std::size_t n = 0; n < left_.size(); ++n) {
      if (left_[n] == 0) continue;
      if (next == left_.size()) {
        next = n;
        continue;
      }
      const std::size_t here = std::max(ready_[n], time), there = std::max(ready_[next], time);
      if (here < there || (here == there && left_[n] > left_[next])) next = n;
    }
    time = std::max(time, ready_[next]);
    ready_[next] = time++ + apart;
    --left_[next];
    order_.push_back(static_cast<std::uint8_t>(next));
  }
}

std::size_t SumOrder::count(std::span<const std::size_t> weights, std::size_t each, Begin begin) {
  const std::size_t least = begin == Begin::Never ? 0 : 1;
  std::size_t all = least * (each - weights.size()), most = 0;
  for (const std::size_t n : weights) all += std::max(n, least), most = std::max(most, n);
  return most == 0 && begin != Begin::Always ? 0 : all;
}

}  // namespace weft::compiler
