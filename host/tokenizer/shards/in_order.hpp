/// Processes the parts of a corpus by many threads and delivers the results in order.
#pragma once

#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <type_traits>
#include <vector>

#include "host/tokenizer/shards/parts.hpp"
#include "sw/base/failure.hpp"

namespace weft::tokenizer {

/// Each of `threads` threads has its own `make_worker()`, which computes a result from a Part; `give` receives the
/// results in the order of the parts, one at a time, for any number of threads. Throws the first failure in that order;
/// no later result is delivered.
template <class MakeWorker, class Give>
class InOrder {
 public:
  using Result = std::invoke_result_t<std::invoke_result_t<const MakeWorker&>, const Part&>;

  InOrder(Parts& parts, const MakeWorker& make_worker, const Give& give)
      : parts_(parts), make_worker_(make_worker), give_(give) {}

  void run(int threads) {
    {
      std::vector<std::jthread> all;
      for (int i = 0; i < threads; ++i) all.push_back(guarded_thread(failure_, [this] { one_thread(); }));
    }
    failure_.check();
  }

 private:
  void one_thread() {
    auto worker = make_worker_();
    Part part;
    while (read_part(part)) {
      std::optional<Result> result;
      std::exception_ptr wrong;
      try {
        result = worker(part);
      } catch (...) {
        wrong = std::current_exception();
      }
      deliver(part.number, result, wrong);
    }
  }

  /// An error in reading the next part is delivered after the results of all previous parts.
  bool read_part(Part& part) {
    const std::scoped_lock lock(reading_);
    if (ended_ || failure_.happened()) return false;
    try {
      ended_ = !parts_.next(part);
      if (!ended_) read_ = part.number + 1;
    } catch (...) {
      ended_ = true;
      std::optional<Result> none;
      deliver(read_, none, std::current_exception());
    }
    return !ended_;
  }

  void deliver(std::uint64_t number, std::optional<Result>& result, const std::exception_ptr& wrong) {
    std::unique_lock lock(delivering_);
    turn_.wait(lock, [&] { return failure_.happened() || next_ == number; });
    if (failure_.happened()) return;
    failure_.guard([&] {
      if (wrong) std::rethrow_exception(wrong);
      give_(*result);
    });
    ++next_;
    turn_.notify_all();
  }

  Parts& parts_;
  const MakeWorker& make_worker_;
  const Give& give_;
  FirstFailure failure_;
  std::mutex reading_, delivering_;
  std::condition_variable turn_;
  std::uint64_t read_ = 0, next_ = 0;
  bool ended_ = false;
};

template <class MakeWorker, class Give>
void in_order(Parts& parts, int threads, const MakeWorker& make_worker, const Give& give) {
  InOrder(parts, make_worker, give).run(threads);
}

}  // namespace weft::tokenizer
