#include "sw/base/failure.hpp"

namespace weft {

void FirstFailure::set(std::exception_ptr failure) noexcept {
  if (!failure) return;
  {
    const std::lock_guard lock(mutex_);
    if (failure_) return;
    failure_ = std::move(failure);
    happened_.store(true, std::memory_order_release);
  }
  if (wake_) wake_();
}

std::exception_ptr FirstFailure::get() const noexcept {
  const std::lock_guard lock(mutex_);
  return failure_;
}

void FirstFailure::check() const {
  if (!happened()) return;
  std::rethrow_exception(get());
}

}  // namespace weft
