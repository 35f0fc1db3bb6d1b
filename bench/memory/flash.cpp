/// The flash tier alone, whose pages are read, changed and written in order, against a plain io_uring loop on the same
/// disk in the same run.
#include <fmt/format.h>
#include <liburing.h>
#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <stdexcept>
#include <vector>

#include "bench/benches.hpp"
#include "bench/print.hpp"
#include "host/memoryx/pages/pages.hpp"
#include "host/memoryx/pages/pinned_pages.hpp"
#include "host/memoryx/pages/scratch_file.hpp"

namespace weft::bench {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 18, kCount = 4096, kRoom = kCount / 8, kDepth = 32;
constexpr int kFlashTimes = 5;
constexpr double kFlashShare = 0.7;

double seconds(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Reads each page of the file and writes it back, kDepth at a time: as fast as the disk allows.
class Plain {
 public:
  explicit Plain(int file) : file_(file) {
    void* const at = ::mmap(nullptr, kDepth * kPiece, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) throw std::runtime_error("no memory for a loop of io_uring");
    memory_ = static_cast<std::byte*>(at);
    std::fill_n(memory_, kDepth * kPiece, std::byte{1});
    if (::io_uring_queue_init(2 * kDepth, &ring_, 0) != 0) throw std::runtime_error("no io_uring");
  }
  ~Plain() {
    ::io_uring_queue_exit(&ring_);
    ::munmap(memory_, kDepth * kPiece);
  }
  Plain(const Plain&) = delete;
  Plain& operator=(const Plain&) = delete;

  /// Writes data to every page of the file.
  void fill() { run(false); }
  void pass() { run(true); }

 private:
  void begin(std::size_t slot, bool write) {
    io_uring_sqe* const entry = ::io_uring_get_sqe(&ring_);
    std::byte* const at = memory_ + slot * kPiece;
    write ? ::io_uring_prep_write(entry, file_, at, kPiece, at_[slot] * kPiece)
          : ::io_uring_prep_read(entry, file_, at, kPiece, at_[slot] * kPiece);
    ::io_uring_sqe_set_data64(entry, slot << 1 | (write ? 1 : 0));
    if (::io_uring_submit(&ring_) != 1) throw std::runtime_error("io_uring takes no request");
  }
  void run(bool read) {
    std::size_t next = 0, done = 0;
    const auto more = [&](std::size_t slot) {
      if (next == kCount) return;
      at_[slot] = next++;
      begin(slot, !read);
    };
    for (std::size_t slot = 0; slot < kDepth; ++slot) more(slot);
    while (done < kCount) {
      io_uring_cqe* result = nullptr;
      if (::io_uring_wait_cqe(&ring_, &result) != 0) throw std::runtime_error("io_uring gives no result");
      const std::uint64_t tag = ::io_uring_cqe_get_data64(result);
      const bool whole = result->res == static_cast<int>(kPiece);
      ::io_uring_cqe_seen(&ring_, result);
      if (!whole) throw std::runtime_error("a piece was not moved whole");
      if ((tag & 1) == 0) {
        begin(tag >> 1, true);
      } else {
        ++done;
        more(tag >> 1);
      }
    }
  }

  int file_;
  io_uring ring_{};
  std::byte* memory_;
  std::vector<std::size_t> at_ = std::vector<std::size_t>(kDepth);  // [slot]: its page
};

/// One pass of Plain's access pattern with the tier: one thread pins each page in turn and changes it.
void pass(memoryx::Pages& pages) {
  for (std::size_t k = 0; k < kCount; ++k) {
    memoryx::PinnedPages pinned(&pages, 1, memoryx::Pages::Use::Last, kDepth);
    std::byte* const at = pages.data() + k * kPiece;
    pinned.pin_one(at);
    *at = static_cast<std::byte>(k);
  }
}

double middle(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

}  // namespace

void flash() {
  constexpr double kMoved = 2.0 * kCount * kPiece;  // bytes per pass
  const std::string folder = std::filesystem::current_path();
  heading(fmt::format("flash: {} pieces of {} KiB read, changed and written in order, {} of them in DRAM, in {}",
                      kCount, kPiece >> 10, kRoom, folder));
  const memoryx::ScratchFile one = memoryx::make_scratch_file(folder, kCount * kPiece),
                             two = memoryx::make_scratch_file(folder, kCount * kPiece);
  auto io = memoryx::make_uring_io(two.file.get());
  if (!io) {
    text("  the system rejects io_uring: not reached, because there is nothing to compare with\n");
    goal("the tier over the plain loop", 0, "times", kFlashShare);
    return;
  }
  Plain plain(one.file.get());
  plain.fill();
  memoryx::Pages pages(kCount * kPiece, {.page = kPiece, .room = kRoom, .file = two.name}, std::move(io));
  pass(pages);
  std::vector<double> of_plain, of_tier;
  const std::uint64_t before = pages.traffic().read + pages.traffic().written;
  for (int time = 0; time < kFlashTimes; ++time) {
    of_plain.push_back(kMoved / seconds([&] { plain.pass(); }));
    of_tier.push_back(kMoved / seconds([&] { pass(pages); }));
  }
  const double moved = static_cast<double>(pages.traffic().read + pages.traffic().written - before) / kFlashTimes;
  fact("a plain loop of io_uring", middle(of_plain) / 1e9, "GB/s");
  fact("the tier", middle(of_tier) / 1e9, "GB/s");
  fact("  of its bytes, moved by the disk", moved / kMoved, "");
  goal("the tier over the plain loop", middle(of_tier) / middle(of_plain), "times", kFlashShare);
}

}  // namespace weft::bench
