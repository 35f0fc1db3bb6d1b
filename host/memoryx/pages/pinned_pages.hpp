/// The pages that one user of Pages has pinned.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "host/memoryx/pages/pages.hpp"

namespace weft::memoryx {

/// Number of pages that a range of `bytes` spans. The range begins on a page boundary, and its size is a power of two.
inline std::size_t pages_of(std::size_t bytes, std::size_t page) { return std::max<std::size_t>(1, bytes / page); }

/// Pins pages for one thread at a time. Without pages, everything is resident and all functions do nothing.
class PinnedPages {
 public:
  /// `pages`, which may be null, must outlive this. `most`: maximum number of pages pinned at a time. `prefetch`:
  /// number of pages to prefetch beyond the last pinned one.
  PinnedPages(Pages* pages, std::size_t most, Pages::Use use, std::uint32_t prefetch = 0);
  ~PinnedPages() { unpin(); }
  PinnedPages(const PinnedPages&) = delete;
  PinnedPages& operator=(const PinnedPages&) = delete;

  using Range = std::span<const std::byte>;
  /// Pins the ranges, which span at most `most` pages, until the next pin() or unpin(). Throws as Pages::pin.
  void pin(std::initializer_list<Range> ranges) {
    if (pages_ != nullptr && !has(ranges)) pin_more(ranges);
  }
  template <class... T>
  void pin(std::span<T>... ranges) {
    pin({std::as_bytes(ranges)...});
  }
  /// Pins the byte at `at`. Pages pinned before stay pinned as long as there are at most `most`.
  void pin_one(const void* at) {
    if (pages_ != nullptr && mine_[page(at)] == 0) pin_more({Range(static_cast<const std::byte*>(at), 1)});
  }
  void unpin() noexcept;

 private:
  std::uint32_t page(const void* at) const {
    return static_cast<std::uint32_t>(static_cast<std::size_t>(static_cast<const std::byte*>(at) - pages_->data()) >>
                                      shift_);
  }
  bool has(std::initializer_list<Range> ranges) const;
  void pin_more(std::initializer_list<Range> ranges);

  Pages* pages_;
  std::size_t most_;
  Pages::Use use_;
  std::uint32_t prefetch_;
  int shift_ = 0;
  std::vector<std::uint8_t> mine_;  // [page]: 1 if pinned here
  std::vector<std::uint32_t> list_, more_;
};

}  // namespace weft::memoryx
