/// The pages that one user of Pieces has pinned.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "host/memoryx/pages/pages.hpp"

namespace weft {

/// Number of pages that a range of `bytes` spans. The range begins on a page boundary, and its size is a power of two.
inline std::size_t pieces_of(std::size_t bytes, std::size_t piece) { return std::max<std::size_t>(1, bytes / piece); }

/// Pins pages for one thread at a time. Without pages, everything is resident and all functions do nothing.
class Held {
 public:
  /// `pieces`, which may be null, must outlive this. `most`: maximum number of pages pinned at a time. `ahead`: number
  /// of pages to prefetch beyond the last pinned one.
  Held(Pieces* pieces, std::size_t most, Pieces::Use use, std::uint32_t ahead = 0);
  ~Held() { release(); }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

  using Range = std::span<const std::byte>;
  /// Pins the ranges, which span at most `most` pages, until the next take() or release(). Throws as Pieces::hold.
  void take(std::initializer_list<Range> ranges) {
    if (pieces_ != nullptr && !has(ranges)) take_more(ranges);
  }
  template <class... T>
  void take(std::span<T>... ranges) {
    take({std::as_bytes(ranges)...});
  }
  /// Pins the byte at `at`. Pages pinned before stay pinned as long as there are at most `most`.
  void take_one(const void* at) {
    if (pieces_ != nullptr && mine_[piece(at)] == 0) take_more({Range(static_cast<const std::byte*>(at), 1)});
  }
  void release() noexcept;

 private:
  std::uint32_t piece(const void* at) const {
    return static_cast<std::uint32_t>(static_cast<std::size_t>(static_cast<const std::byte*>(at) - pieces_->data()) >>
                                      shift_);
  }
  bool has(std::initializer_list<Range> ranges) const;
  void take_more(std::initializer_list<Range> ranges);

  Pieces* pieces_;
  std::size_t most_;
  Pieces::Use use_;
  std::uint32_t ahead_;
  int shift_ = 0;
  std::vector<std::uint8_t> mine_;  // [page]: 1 if pinned here
  std::vector<std::uint32_t> list_, more_;
};

}  // namespace weft
