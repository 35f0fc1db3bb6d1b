#include "host/swarmx/model/cores.hpp"

#include <algorithm>
#include <utility>

namespace weft::swarm_model {

/// Of each thread at work.
double Cores::speed() const { return std::min(1.0, count_ / static_cast<double>(at_work_.size())); }

void Cores::advance() {
  if (!at_work_.empty()) {
    const double each = (clock_.now() - since_) * speed();
    shared_ += each;
    busy_ += each * static_cast<double>(at_work_.size());
  }
  since_ = clock_.now();
}

/// What was arranged before holds no longer: the speed may be another.
void Cores::arrange() {
  ++arranged_;
  if (at_work_.empty()) return;
  const double left = std::max(0.0, at_work_.front().end - shared_);
  clock_.after(left / speed(), [this, arranged = arranged_] {
    if (arranged == arranged_) finish();
  });
}

void Cores::work(double seconds, Then then) {
  advance();
  at_work_.push_back({shared_ + seconds, numbers_++, std::move(then)});
  std::ranges::push_heap(at_work_, later);
  arrange();
}

void Cores::finish() {
  advance();
  std::ranges::pop_heap(at_work_, later);
  const Work done = std::move(at_work_.back());
  at_work_.pop_back();
  shared_ = std::max(shared_, done.end);
  arrange();
  done.then();
}

}  // namespace weft::swarm_model
