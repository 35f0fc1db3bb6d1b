/// Values that occurred in signals, in GTKWave's notation: the keys of its translation files.
#pragma once

#include <cstdint>
#include <set>
#include <string>

namespace weft::trace {

/// Set of values in hexadecimal. Keeps at most kMost values; `complete()` is false if more occurred.
class SeenValues {
 public:
  void add(std::uint64_t value, unsigned bits);
  /// Adds a value with a character per bit, the highest first; a digit with z bits becomes z.
  void add(const std::string& bits);

  bool complete() const { return complete_; }
  const std::set<std::string>& hex() const { return hex_; }

 private:
  static constexpr std::size_t kMost = std::size_t{1} << 17;
  void keep(std::string hex);

  std::set<std::string> hex_;
  bool complete_ = true;
};

/// Sets by the kind of text that the values become.
struct TraceValues {
  SeenValues messages, bf16, fp32, flags;
};

}  // namespace weft::trace
