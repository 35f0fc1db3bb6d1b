#include "host/memoryx/pool.hpp"

#include <pthread.h>

#include <algorithm>
#include <string>
#include <system_error>
#include <utility>

namespace weft::memoryx {

Pool::Pool(unsigned threads) {
  try {
    threads_.reserve(threads);
    while (threads_.size() < threads) threads_.push_back(guarded_thread(failure_, [this] { serve(); }));
  } catch (const std::system_error& error) {
    const std::size_t had = threads_.size();
    end();
    throw std::system_error(error.code(), "the system started only " + std::to_string(had) + " of the " +
                                              std::to_string(threads) + " threads of MemoryX");
  } catch (...) {
    end();
    throw;
  }
}

Pool::~Pool() { end(); }

void Pool::end() noexcept {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  wake_.notify_all();
  threads_.clear();
}

void Pool::start(std::size_t count, std::function<void()> work) noexcept {
  wait();
  if (threads_.empty()) return failure_.guard(work);
  {
    const std::lock_guard lock(mutex_);
    work_ = std::move(work);
    wanted_ = left_ = std::min(count, threads_.size());
  }
  wake_.notify_all();
}

void Pool::add_call() noexcept {
  {
    const std::lock_guard lock(mutex_);
    ++wanted_;
    ++left_;
  }
  wake_.notify_one();
}

void Pool::run(std::size_t count, std::function<void()> work) {
  wait();
  if (count > 1 && !threads_.empty()) start(count - 1, work);
  failure_.guard(work);
  finish();
}

void Pool::wait() const noexcept {
  std::unique_lock lock(mutex_);
  idle_.wait(lock, [this] { return left_ == 0; });
}

bool Pool::idle() const noexcept {
  const std::lock_guard lock(mutex_);
  return left_ == 0;
}

void Pool::finish() const {
  wait();
  failure_.check();
}

void Pool::serve() {
  ::pthread_setname_np(::pthread_self(), "updates");  // for tools that list threads
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return wanted_ > 0 || ending_; });
    if (wanted_ == 0) return;
    --wanted_;
    lock.unlock();
    failure_.guard(work_);
    report_progress();
    lock.lock();
    if (--left_ == 0) idle_.notify_all();
  }
}

}  // namespace weft::memoryx
