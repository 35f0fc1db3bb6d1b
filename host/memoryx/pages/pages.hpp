/// A flat range of memory that exceeds its DRAM budget: some pages are resident, the others are in a file.
///
/// Addresses never change; only the memory behind them does. A user pins a page while using it (pinned_pages.hpp), and
/// waits if the page is not resident. Unpinned pages are evicted when room is needed, those released with Use::Last
/// first (docs/explanation/tiers.md).
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "host/memoryx/pages/lru_list.hpp"
#include "host/memoryx/pages/page_io.hpp"

namespace weft::memoryx {

class Pages {
 public:
  struct Options {
    std::size_t page = std::size_t{1} << 18;  ///< bytes per page, a power of two from 4096
    std::size_t room = 64;                    ///< maximum number of resident pages
    std::string file;                         ///< name of the file, for errors
    bool direct = true;                       ///< the file bypasses the page cache
  };
  /// The purpose for which a page is pinned.
  enum class Use : std::uint8_t {
    Read,    ///< read, and needed again soon
    Change,  ///< changed, and needed again soon
    Last,    ///< changed, and not needed again before the next step
    Forget   ///< changed, and reset to zeros when released
  };

  /// All zeros. `bytes`: a multiple of the page size. Throws Refusal, std::system_error, std::bad_alloc.
  Pages(std::size_t bytes, Options options, std::unique_ptr<PageIo> io);
  ~Pages();
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;

  std::byte* data() const { return memory_; }
  std::size_t count() const { return states_.size(); }
  std::size_t page_bytes() const { return options_.page; }
  std::size_t room() const { return options_.room; }
  /// The pages that contain `bytes`.
  struct Range {
    std::uint32_t first = 0, count = 0;
  };
  Range range_of(std::span<const std::byte> bytes) const;
  /// "pages of 256 KiB, io_uring, O_DIRECT".
  std::string description() const;

  /// Pins the pages and returns when all are resident. All users together must not pin more than room() pages. Throws
  /// Refusal if the file cannot be read or written, if it has other bytes than were written, or if the system has no
  /// memory.
  void pin(std::span<const std::uint32_t> pages, Use use);
  void unpin(std::span<const std::uint32_t> pages, Use use) noexcept;
  /// Prefetches pages that will be needed soon, in this order: reads as many as there is room for, and returns at once.
  void prefetch(std::uint32_t first, std::uint32_t count) noexcept;
  /// Discards the values of pages that no user has pinned: they become zeros.
  void forget(std::uint32_t first, std::uint32_t count) noexcept;

  /// True if a read or a write has failed: the values of pages that are not resident may be lost.
  bool failed() const;
  struct Traffic {
    std::uint64_t read = 0, written = 0;  ///< bytes
  };
  Traffic traffic() const;

 private:
  /// LRU lists of pages that are resident, unpinned and not being written. Pages in the kLast lists are evicted first;
  /// clean pages need not be written.
  enum List : std::uint8_t { kLastClean, kClean, kLastDirty, kDirty, kLists };
  static constexpr std::size_t kMostInFlight = 64;  // prefetch reads, and write-backs

  enum class Where : std::uint8_t { Zero, OnDisk, Reading, Resident };
  struct State {
    Where where = Where::Zero;
    bool dirty = false;    // differs from the file
    bool writing = false;  // is being written
    bool last = false;     // its last use was Use::Last
    std::uint32_t pins = 0;
    std::uint32_t checksum = 0;  // checksum of the bytes written
  };
  using Lock = std::unique_lock<std::mutex>;
  using Requests = std::vector<PageRequest>;

  std::span<std::byte> bytes(std::uint32_t page) const {
    return {memory_ + std::size_t{page} * options_.page, options_.page};
  }
  PageRequest request(std::uint32_t page, bool write) const;
  void pin_all(std::span<const std::uint32_t> pages, Use use);
  void pin_page(Lock& lock, std::uint32_t page, Requests& reads);
  void make_room(Lock& lock, std::uint32_t page, Where from, Requests& reads);
  bool evict_one(std::uint32_t new_page, Where from);
  bool move_memory(std::uint32_t from, std::uint32_t to);
  void release_memory(std::uint32_t page);
  int bring_in(std::uint32_t page, Requests& reads);
  void protect(std::span<std::byte> at) const;
  void append_to_lru(std::uint32_t page);
  Requests choose_write_backs(std::size_t enough);
  Requests write_behind() noexcept;
  void submit(Requests& requests) noexcept;
  void complete(const PageRequest& request, int error) noexcept;
  void fail(std::exception_ptr failure) noexcept;
  void check() const;

  Options options_;
  bool guard_;     // accesses to pages that are not resident are trapped
  bool recycles_;  // memory moves from page to page
  std::byte* memory_;
  std::unique_ptr<PageIo> io_;
  mutable std::mutex mutex_;  // guards all members below
  std::condition_variable changed_;
  std::vector<State> states_;  // [page]
  LruLists lists_;
  std::size_t resident_ = 0;  // pages that take memory
  std::size_t reading_ = 0, writing_ = 0;
  int waiting_ = 0;  // threads that wait for room, or for a page that they have not pinned
  std::exception_ptr failure_;
  Traffic traffic_;
};

}  // namespace weft::memoryx
