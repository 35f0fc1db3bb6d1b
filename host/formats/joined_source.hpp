/// Concatenation of several files.
#pragma once

#include <memory>
#include <vector>

#include "host/checkpoint/byte_source.hpp"

namespace weft {

class JoinedSource final : public ByteSource {
 public:
  /// Appends `part` and returns the position of its first byte.
  std::uint64_t add(std::unique_ptr<ByteSource> part);

  std::uint64_t size() const override { return size_; }
  void read(std::uint64_t at, std::span<std::uint8_t> to) const override;
  void check() const override;

 private:
  struct Part {
    std::uint64_t begin = 0;
    std::unique_ptr<ByteSource> source;
  };
  std::vector<Part> parts_;
  std::uint64_t size_ = 0;
};

}  // namespace weft
