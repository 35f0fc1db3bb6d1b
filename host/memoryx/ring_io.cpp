#include <cerrno>
#include <deque>
#include <mutex>
#include <system_error>
#include <utility>
#include <vector>

#include "host/memoryx/piece_io.hpp"
#include "host/memoryx/ring.hpp"
#include "sw/base/failure.hpp"

namespace weft {
namespace {

/// Whoever starts a request hands it to the kernel; one thread waits for all results.
class RingIo final : public PieceIo {
 public:
  explicit RingIo(int file) : file_(file) {}
  ~RingIo() override {
    if (!thread_.joinable()) return;
    const std::lock_guard lock(mutex_);
    ring_.submit(std::vector<Ring::Entry>{{.bytes = {}, .tag = kEnd}});
  }

  void begin(Done done) override {
    done_ = std::move(done);
    thread_ = guarded_thread(failure_, [this] { serve(); });
  }
  void start(std::span<const PieceRequest> requests) override;
  const char* name() const override { return "io_uring"; }

 private:
  static constexpr unsigned kEntries = 256;
  static constexpr std::uint64_t kEnd = ~std::uint64_t{0};
  struct Slot {
    PieceRequest request;
    std::size_t done = 0;  // bytes
  };

  Ring::Entry rest(std::uint64_t slot) const {
    const auto& [request, done] = slots_[slot];
    return {.opcode = request.write ? std::uint8_t{IORING_OP_WRITE} : std::uint8_t{IORING_OP_READ},
            .file = file_,
            .offset = request.offset + done,
            .bytes = request.bytes.subspan(done),
            .tag = slot};
  }
  void serve();
  void result(std::uint64_t slot, std::int32_t result);

  int file_;
  Ring ring_{kEntries};
  Done done_;
  std::mutex mutex_;  // of the next three, and of who submits
  std::deque<Slot> slots_;
  std::vector<std::uint64_t> free_;
  std::vector<Ring::Entry> entries_;
  std::size_t under_way_ = 0;  // of the thread, as ended_
  bool ended_ = false;
  FirstFailure failure_;
  std::jthread thread_;  // last: it ends before what it uses
};

void RingIo::start(std::span<const PieceRequest> requests) {
  const std::lock_guard lock(mutex_);
  entries_.clear();
  entries_.reserve(requests.size());
  free_.reserve(slots_.size() + requests.size());
  while (free_.size() < requests.size()) {
    free_.push_back(slots_.size());
    slots_.emplace_back();
  }
  for (const PieceRequest& request : requests) {
    const std::uint64_t slot = free_.back();
    free_.pop_back();
    slots_[slot] = {request, 0};
    entries_.push_back(rest(slot));
  }
  under_way_ += requests.size();
  ring_.submit(entries_);
}

void RingIo::serve() {
  for (;;) {
    ring_.wait([this](std::uint64_t tag, std::int32_t what) { tag == kEnd ? void(ended_ = true) : result(tag, what); });
    const std::lock_guard lock(mutex_);
    if (ended_ && under_way_ == 0) return;
  }
}

void RingIo::result(std::uint64_t slot, std::int32_t result) {
  std::unique_lock lock(mutex_);
  Slot& at = slots_[slot];
  if (result > 0) at.done += static_cast<std::size_t>(result);
  const bool more = at.done < at.request.bytes.size();
  if (result == -EINTR || result == -EAGAIN || (result > 0 && more)) {
    const Ring::Entry again[] = {rest(slot)};
    return ring_.submit(again);
  }
  const PieceRequest request = at.request;
  lock.unlock();
  done_(request, result < 0 ? -result : more ? kCutShort : 0);
  lock.lock();
  free_.push_back(slot);  // there is room
  --under_way_;
}

}  // namespace

std::unique_ptr<PieceIo> make_ring_io(int file) {
  try {
    return std::make_unique<RingIo>(file);
  } catch (const std::system_error&) {
    return nullptr;
  }
}

}  // namespace weft
