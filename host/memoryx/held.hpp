/// What one user of pieces holds just now.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "host/memoryx/pieces.hpp"

namespace weft {

/// Pieces that so many bytes lie in, which begin with one and are a power of two.
inline std::size_t pieces_of(std::size_t bytes, std::size_t piece) { return std::max<std::size_t>(1, bytes / piece); }

/// Of one thread at a time. Without pieces, as all is here always, nothing is done.
class Held {
 public:
  /// `pieces`, which may be null, must outlive this. `most`: so many at a time. `ahead`: reads so many beyond the last.
  Held(Pieces* pieces, std::size_t most, Pieces::Use use, std::uint32_t ahead = 0);
  ~Held() { release(); }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

  using Range = std::span<const std::byte>;
  /// The ranges, of at most `most` pieces, are here until the next take() or release(). Throws as Pieces::hold.
  void take(std::initializer_list<Range> ranges) {
    if (pieces_ != nullptr && !has(ranges)) take_more(ranges);
  }
  template <class... T>
  void take(std::span<T>... ranges) {
    take({std::as_bytes(ranges)...});
  }
  /// The byte at `at`; what was taken before stays as long as there are no more than `most`.
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
  std::vector<std::uint8_t> mine_;  // [piece]
  std::vector<std::uint32_t> list_, more_;
};

}  // namespace weft
