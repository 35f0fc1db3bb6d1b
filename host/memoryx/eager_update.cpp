#include "host/memoryx/eager_update.hpp"

#include <utility>

#include "sw/base/invariant.hpp"

namespace weft::memoryx {

EagerUpdate::EagerUpdate(const compiler::Plan& plan, const std::vector<std::vector<int>>& written,
                         std::vector<std::size_t> words)
    : plan_(plan),
      written_(written),
      words_(std::move(words)),
      uses_(plan.tensors.size()),
      gets_a_gradient_(plan.tensors.size()),
      left_(words_.size()) {
  for (std::size_t op = 0; op < plan.ops.size(); ++op) {
    for (const int t : plan.ops[op].tensors) ++uses_[static_cast<std::size_t>(t)];
    for (const int t : written[op]) {
      ++uses_[static_cast<std::size_t>(t)];
      gets_a_gradient_[static_cast<std::size_t>(t)] = true;
    }
  }
}

void EagerUpdate::begin(std::uint64_t passes, std::function<void(int)> free) {
  const std::lock_guard lock(mutex_);
  free_ = std::move(free);
  for (std::size_t op = 0; op < left_.size(); ++op) left_[op] = words_[op] * passes;
  missing_ = uses_;
}

void EagerUpdate::end() {
  const std::lock_guard lock(mutex_);
  free_ = nullptr;
}

void EagerUpdate::read(std::size_t op) {
  const std::lock_guard lock(mutex_);
  done(plan_.ops[op].tensors);
}

void EagerUpdate::count_added(std::size_t op, std::size_t words) {
  const std::lock_guard lock(mutex_);
  invariant(words <= left_[op], "an op returns no more gradients than planned in a step");
  left_[op] -= words;
  if (left_[op] == 0) done(written_[op]);
}

void EagerUpdate::done(std::span<const int> tensors) {
  for (const int tensor : tensors) {
    const auto t = static_cast<std::size_t>(tensor);
    if (--missing_[t] == 0 && gets_a_gradient_[t] && free_) free_(tensor);
  }
}

std::vector<int> EagerUpdate::rest() {
  const std::lock_guard lock(mutex_);
  std::vector<int> rest;
  for (std::size_t t = 0; t < missing_.size(); ++t) {
    if (missing_[t] != 0 || !gets_a_gradient_[t]) rest.push_back(static_cast<int>(t));
  }
  return rest;
}

}  // namespace weft::memoryx
