#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <utility>
#include <vector>

#include "host/memoryx/piece_io.hpp"
#include "sw/base/failure.hpp"

namespace weft {
namespace {

/// errno, kCutShort or 0.
int move(int file, const PieceRequest& request) {
  for (std::size_t at = 0; at < request.bytes.size();) {
    std::byte* const here = request.bytes.data() + at;
    const std::size_t left = request.bytes.size() - at;
    const auto offset = static_cast<off_t>(request.offset + at);
    const ssize_t count = request.write ? ::pwrite(file, here, left, offset) : ::pread(file, here, left, offset);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    if (count == 0) return PieceIo::kCutShort;
    at += static_cast<std::size_t>(count);
  }
  return 0;
}

class ThreadIo final : public PieceIo {
 public:
  ThreadIo(int file, unsigned threads) : file_(file), count_(threads) {}
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
  void start(std::span<const PieceRequest> requests) override {
    {
      const std::lock_guard lock(mutex_);
      waiting_.insert(waiting_.end(), requests.begin(), requests.end());
    }
    wake_.notify_all();
  }
  const char* name() const override { return "threads"; }

 private:
  void serve() {
    std::unique_lock lock(mutex_);
    for (;;) {
      wake_.wait(lock, [this] { return ending_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      const PieceRequest request = waiting_.front();
      waiting_.pop_front();
      lock.unlock();
      done_(request, move(file_, request));
      lock.lock();
    }
  }

  int file_;
  unsigned count_;
  Done done_;
  std::mutex mutex_;  // of the next three
  std::condition_variable wake_;
  std::deque<PieceRequest> waiting_;
  bool ending_ = false;
  FirstFailure failure_;
  std::vector<std::jthread> threads_;  // last: they end before what they use
};

}  // namespace

std::unique_ptr<PieceIo> make_thread_io(int file, unsigned threads) {
  return std::make_unique<ThreadIo>(file, threads);
}

}  // namespace weft
