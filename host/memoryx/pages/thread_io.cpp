#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <utility>
#include <vector>

#include "host/memoryx/pages/page_io.hpp"
#include "sw/base/failure.hpp"

namespace weft::memoryx {
namespace {

class ThreadIo final : public PageIo {
 public:
  ThreadIo(int file, unsigned threads, std::string name) : file_(file), count_(threads), name_(std::move(name)) {}
  ~ThreadIo() override {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
    }
    wake_.notify_all();
  }

  void begin(Done done) override {
    done_ = std::move(done);
    threads_.reserve(count_);
    while (threads_.size() < count_) threads_.push_back(guarded_thread(failure_, [this] { serve(); }));
  }
  void start(std::span<const PageRequest> requests) override {
    {
      const std::lock_guard lock(mutex_);
      waiting_.insert(waiting_.end(), requests.begin(), requests.end());
    }
    wake_.notify_all();
  }
  std::string name() const override { return name_; }

 private:
  void serve() {
    std::unique_lock lock(mutex_);
    for (;;) {
      wake_.wait(lock, [this] { return ending_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      const PageRequest request = waiting_.front();
      waiting_.pop_front();
      lock.unlock();
      done_(request, move_rest(file_, request));
      lock.lock();
    }
  }

  int file_;
  unsigned count_;
  std::string name_;
  Done done_;
  std::mutex mutex_;  // guards the next three members
  std::condition_variable wake_;
  std::deque<PageRequest> waiting_;
  bool ending_ = false;
  FirstFailure failure_;
  std::vector<std::jthread> threads_;  // last: end before the members they use
};

}  // namespace

int move_rest(int file, const PageRequest& request, std::size_t done) {
  while (done < request.bytes.size()) {
    std::byte* const here = request.bytes.data() + done;
    const std::size_t left = request.bytes.size() - done;
    const auto offset = static_cast<off_t>(request.offset + done);
    const ssize_t count = request.write ? ::pwrite(file, here, left, offset) : ::pread(file, here, left, offset);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    if (count == 0) return PageIo::kCutShort;
    done += static_cast<std::size_t>(count);
  }
  return 0;
}

std::unique_ptr<PageIo> make_thread_io(int file, unsigned threads, std::string name) {
  return std::make_unique<ThreadIo>(file, threads, std::move(name));
}

}  // namespace weft::memoryx
