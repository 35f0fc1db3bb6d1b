/// Access to the bytes of a checkpoint that need not be in memory as a whole.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sw/base/descriptor.hpp"

namespace weft::checkpoint {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  virtual std::uint64_t size() const = 0;
  /// Fills `to` with bytes `at`, `at` + 1, ..., which must exist. Throws Refusal.
  virtual void read(std::uint64_t at, std::span<std::uint8_t> to) const = 0;
  /// Throws Refusal if the bytes read so far may be of two versions of the file.
  virtual void check() const {}

  static constexpr std::size_t kSome = std::size_t{1} << 18;  ///< number of bytes read at a time

  /// Calls work(bytes) for `count` bytes from `begin` on, in chunks.
  template <class Work>
  void for_each(std::uint64_t begin, std::uint64_t count, const Work& work) const {
    std::vector<std::uint8_t> some(std::min<std::uint64_t>(count, kSome));
    for (std::uint64_t at = 0; at < count; at += some.size()) {
      some.resize(std::min<std::uint64_t>(count - at, kSome));
      read(begin + at, some);
      work(std::span<const std::uint8_t>(some));
    }
  }
};

class MemorySource final : public ByteSource {
 public:
  /// `bytes` must outlive this.
  explicit MemorySource(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
  std::uint64_t size() const override { return bytes_.size(); }
  void read(std::uint64_t at, std::span<std::uint8_t> to) const override {
    std::ranges::copy(bytes_.subspan(at, to.size()), to.begin());
  }

 private:
  std::span<const std::uint8_t> bytes_;
};

/// A file that stays open, even if its name is removed or reused.
class FileSource final : public ByteSource {
 public:
  /// Throws Refusal, also if the file is larger than memory or than `most` bytes.
  FileSource(const std::string& file, std::uint64_t most);
  std::uint64_t size() const override { return size_; }
  void read(std::uint64_t at, std::span<std::uint8_t> to) const override;
  void check() const override;

 private:
  std::string file_;
  Descriptor fd_;
  std::uint64_t size_ = 0;
  std::int64_t changed_ = 0;  // time of the last change, in nanoseconds
};

}  // namespace weft::checkpoint
