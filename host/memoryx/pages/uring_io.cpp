#include <liburing.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "host/memoryx/pages/page_io.hpp"
#include "sw/base/descriptor.hpp"
#include "sw/base/failure.hpp"

namespace weft::memoryx {
namespace {

[[noreturn]] void fail(int error, const char* what) { throw std::system_error(error, std::generic_category(), what); }

/// The kernel's ring, which counts finished requests in an eventfd: the waiting thread reads that file, and another
/// thread can wake it without the kernel's permission to use the ring.
class UringQueue {
 public:
  explicit UringQueue(unsigned entries) : finished_(::eventfd(0, EFD_CLOEXEC)) {
    if (finished_.get() < 0) fail(errno, "eventfd");
    if (const int error = ::io_uring_queue_init(entries, &ring_, 0); error < 0) fail(-error, "io_uring_setup");
    if (const int error = ::io_uring_register_eventfd(&ring_, finished_.get()); error < 0) {
      ::io_uring_queue_exit(&ring_);
      fail(-error, "io_uring_register");
    }
  }
  ~UringQueue() { ::io_uring_queue_exit(&ring_); }
  UringQueue(const UringQueue&) = delete;
  UringQueue& operator=(const UringQueue&) = delete;

  /// Returns null if the submission queue is full.
  io_uring_sqe* prepare() { return ::io_uring_get_sqe(&ring_); }
  /// Submits the prepared entries. Returns 0, or an errno after which the ring is unusable; `taken`: number of entries
  /// that the kernel accepted.
  int submit(std::size_t& taken) {
    constexpr auto kPatience = std::chrono::milliseconds(200);
    taken = 0;
    const auto begin = std::chrono::steady_clock::now();
    while (::io_uring_sq_ready(&ring_) > 0) {
      const int count = ::io_uring_submit(&ring_);
      if (count > 0) {
        taken += static_cast<std::size_t>(count);
      } else if (count != -EINTR) {
        const bool busy = count == 0 || count == -EAGAIN || count == -EBUSY;  // short of memory, or of room for results
        if (!busy || std::chrono::steady_clock::now() - begin > kPatience) return count == 0 ? EAGAIN : -count;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    }
    return 0;
  }
  /// Waits for a result or for wake(), and calls `each` with the available results: bytes moved, or -errno.
  template <class Each>
  void wait(const Each& each) {
    std::uint64_t count = 0;
    while (::read(finished_.get(), &count, sizeof count) < 0 && errno == EINTR) {
    }
    for (io_uring_cqe* result = nullptr; ::io_uring_peek_cqe(&ring_, &result) == 0;) {
      const std::uint64_t tag = ::io_uring_cqe_get_data64(result);
      const int what = result->res;
      ::io_uring_cqe_seen(&ring_, result);
      each(tag, what);
    }
  }
  void wake() {
    const std::uint64_t one = 1;
    while (::write(finished_.get(), &one, sizeof one) < 0 && errno == EINTR) {
    }
  }

 private:
  Descriptor finished_;
  io_uring ring_{};
};

/// The caller of start() submits the requests to the kernel; one thread waits for all results. Once the kernel rejects
/// a request, further requests are handled by threads.
class UringIo final : public PageIo {
 public:
  /// Throws std::system_error if the ring does not work.
  explicit UringIo(int file) : file_(file) {
    ::io_uring_prep_nop(ring_.prepare());
    std::size_t taken = 0;
    if (const int error = ring_.submit(taken); error != 0) fail(error, "io_uring_enter");
    bool done = false;
    while (!done) ring_.wait([&](std::uint64_t, int) { done = true; });
  }
  ~UringIo() override {
    ending_ = true;
    ring_.wake();
  }

  void begin(Done done) override {
    done_ = std::move(done);
    thread_ = guarded_thread(failure_, [this] {
      while (!ending_ || under_way_ > 0) ring_.wait([this](std::uint64_t slot, int what) { end(slot, what); });
    });
  }
  void start(std::span<const PageRequest> requests) override;
  std::string name() const override { return "io_uring"; }

 private:
  static constexpr unsigned kEntries = 256;

  std::size_t submit(std::span<const PageRequest> requests);
  void take_slots(std::span<const PageRequest> requests);
  void end(std::uint64_t slot, int result);

  int file_;
  UringQueue ring_{kEntries};
  Done done_;
  std::mutex submits_;              // guards the next three members
  std::vector<std::uint64_t> own_;  // slots of the requests being submitted
  std::unique_ptr<PageIo> spare_;   // used once the kernel has rejected a request
  bool refused_ = false;
  std::mutex slots_mutex_;  // guards the next two members
  std::vector<PageRequest> slots_;
  std::vector<std::uint64_t> free_;
  std::atomic<std::size_t> under_way_ = 0;
  std::atomic<bool> ending_ = false;
  FirstFailure failure_;
  std::jthread thread_;  // last: ends before the members it uses
};

void UringIo::start(std::span<const PageRequest> requests) {
  const std::lock_guard lock(submits_);
  while (!refused_ && !requests.empty()) requests = requests.subspan(submit(requests));
  if (requests.empty()) return;
  if (!spare_) {
    auto spare = make_thread_io(file_);
    spare->begin(done_);
    spare_ = std::move(spare);
  }
  spare_->start(requests);
}

void UringIo::take_slots(std::span<const PageRequest> requests) {
  const std::lock_guard lock(slots_mutex_);
  own_.clear();
  own_.reserve(requests.size());
  slots_.reserve(slots_.size() + requests.size());
  free_.reserve(slots_.size() + requests.size());  // the last operation that can fail
  for (const PageRequest& request : requests) {
    if (free_.empty()) {
      own_.push_back(slots_.size());
      slots_.push_back(request);
    } else {
      own_.push_back(free_.back());
      slots_[free_.back()] = request;
      free_.pop_back();
    }
  }
}

/// Returns how many of the first requests the kernel accepted; after an error the others were not submitted.
std::size_t UringIo::submit(std::span<const PageRequest> requests) {
  requests = requests.first(std::min<std::size_t>(requests.size(), kEntries));
  take_slots(requests);
  for (std::size_t k = 0; k < requests.size(); ++k) {
    const auto& [write, page, offset, bytes] = requests[k];
    io_uring_sqe* const entry = ring_.prepare();
    const auto size = static_cast<unsigned>(bytes.size());
    write ? ::io_uring_prep_write(entry, file_, bytes.data(), size, offset)
          : ::io_uring_prep_read(entry, file_, bytes.data(), size, offset);
    ::io_uring_sqe_set_data64(entry, own_[k]);
  }
  under_way_ += requests.size();
  std::size_t taken = 0;
  refused_ = ring_.submit(taken) != 0;
  under_way_ -= requests.size() - taken;
  const std::lock_guard lock(slots_mutex_);
  free_.insert(free_.end(), own_.begin() + static_cast<std::ptrdiff_t>(taken), own_.end());
  return taken;
}

void UringIo::end(std::uint64_t slot, int result) {
  PageRequest request;
  {
    const std::lock_guard lock(slots_mutex_);
    request = slots_[slot];
    free_.push_back(slot);  // capacity was reserved
  }
  const auto done = static_cast<std::size_t>(std::max(result, 0));
  int error = result < 0 ? -result : 0;
  if (result == 0) error = kCutShort;
  if (error == EINTR || error == EAGAIN || (result > 0 && done < request.bytes.size()))
    error = move_rest(file_, request, done);
  done_(request, error);
  --under_way_;
}

}  // namespace

std::unique_ptr<PageIo> make_uring_io(int file, std::string* why) {
  try {
    return std::make_unique<UringIo>(file);
  } catch (const std::system_error& e) {
    if (why != nullptr) *why = e.code().message();
    return nullptr;
  }
}

}  // namespace weft::memoryx
