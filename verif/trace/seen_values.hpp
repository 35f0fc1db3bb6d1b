/// Values that signals had, as GTKWave writes them: the keys of its translation files.
#pragma once

#include <cstdint>
#include <set>
#include <string>

namespace weft {

/// Hexadecimal digits of each value, once. Beyond kMost values none is kept, and `complete()` is false.
class SeenValues {
 public:
  void add(std::uint64_t value, unsigned bits);
  /// A character a bit, the highest first; a digit of z bits is z.
  void add(const std::string& bits);

  bool complete() const { return complete_; }
  const std::set<std::string>& hex() const { return hex_; }

 private:
  static constexpr std::size_t kMost = std::size_t{1} << 17;
  void keep(std::string hex);

  std::set<std::string> hex_;
  bool complete_ = true;
};

/// By the kind of words that a value becomes.
struct TraceValues {
  SeenValues messages, bf16, fp32, flags;
};

}  // namespace weft
