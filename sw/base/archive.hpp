/// Serialization of plain data, member by member: the file format of core dumps and plans.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace weft {

/// `fields(archive, x)` lists the members of a type; numbers and enumerations are little endian, in as many bytes as
/// their type has.
class ArchiveWriter {
 public:
  template <class... T>
  void operator()(const T&... items) {
    (put(items), ...);
  }
  std::vector<std::uint8_t> bytes;

 private:
  template <class T>
  void put(const T& x) {
    if constexpr (std::is_enum_v<T>)
      put(static_cast<std::underlying_type_t<T>>(x));
    else if constexpr (std::is_same_v<T, float>)
      put(std::bit_cast<std::uint32_t>(x));
    else if constexpr (std::is_same_v<T, double>)
      put(std::bit_cast<std::uint64_t>(x));
    else if constexpr (std::is_arithmetic_v<T>)
      for (std::size_t i = 0; i < sizeof x; ++i)
        bytes.push_back(static_cast<std::uint8_t>(static_cast<std::uint64_t>(x) >> 8 * i));
    else
      fields(*this, const_cast<T&>(x));  // writing only reads
  }
  template <class T>
  void put(const std::vector<T>& list) {
    put(std::uint64_t{list.size()});
    for (const T& x : list) put(x);
  }
  template <class T, std::size_t N>
  void put(const std::array<T, N>& list) {
    for (const T& x : list) put(x);
  }
  void put(const std::string& text) {
    put(std::uint64_t{text.size()});
    bytes.insert(bytes.end(), text.begin(), text.end());
  }
  void put(const std::vector<bool>& bits) {
    put(std::uint64_t{bits.size()});
    for (std::size_t i = 0; i < bits.size(); i += 8) {
      std::uint8_t byte = 0;
      for (std::size_t k = i; k < std::min(i + 8, bits.size()); ++k)
        byte |= static_cast<std::uint8_t>(bits[k] ? 1U << (k - i) : 0U);
      put(byte);
    }
  }
  template <class T, class Less>
  void put(const std::map<std::string, T, Less>& map) {
    put(std::uint64_t{map.size()});
    for (const auto& [key, value] : map) put(key), put(value);
  }
  template <class T>
  void put(const std::optional<T>& x) {
    put(x.has_value());
    if (x) put(*x);
  }
};

/// Thrown if the data ends before everything announced has been read.
struct ArchiveEnds {};

class ArchiveReader {
 public:
  explicit ArchiveReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
  template <class... T>
  void operator()(T&... items) {
    (get(items), ...);
  }
  bool done() const { return bytes_.empty(); }

 private:
  std::span<const std::uint8_t> some(std::size_t n) {
    if (n > bytes_.size()) throw ArchiveEnds{};
    const auto front = bytes_.first(n);
    bytes_ = bytes_.subspan(n);
    return front;
  }
  /// A number of elements. Each element has at least one byte, so a number that is too large ends in ArchiveEnds.
  std::size_t count() {
    std::uint64_t n = 0;
    get(n);
    return static_cast<std::size_t>(n);
  }
  template <class T>
  void get(T& x) {
    if constexpr (std::is_enum_v<T>) {
      std::underlying_type_t<T> number{};
      get(number);
      x = static_cast<T>(number);
    } else if constexpr (std::is_same_v<T, float>) {
      std::uint32_t bits = 0;
      get(bits);
      x = std::bit_cast<float>(bits);
    } else if constexpr (std::is_same_v<T, double>) {
      std::uint64_t bits = 0;
      get(bits);
      x = std::bit_cast<double>(bits);
    } else if constexpr (std::is_arithmetic_v<T>) {
      std::uint64_t bits = 0;
      const auto from = some(sizeof x);
      for (std::size_t i = 0; i < sizeof x; ++i) bits |= std::uint64_t{from[i]} << 8 * i;
      x = static_cast<T>(bits);
    } else {
      fields(*this, x);
    }
  }
  template <class T>
  void get(std::vector<T>& list) {
    list.clear();
    for (std::size_t n = count(); n; --n) get(list.emplace_back());
  }
  template <class T, std::size_t N>
  void get(std::array<T, N>& list) {
    for (T& x : list) get(x);
  }
  void get(std::string& text) {
    const auto from = some(count());
    text.assign(from.begin(), from.end());
  }
  void get(std::vector<bool>& bits) {
    const std::size_t n = count();
    const auto from = some(n / 8 + (n % 8 > 0 ? 1 : 0));
    bits.resize(n);
    for (std::size_t i = 0; i < n; ++i) bits[i] = from[i / 8] >> i % 8 & 1;
  }
  template <class T>
  void get(std::optional<T>& x) {
    bool there = false;
    get(there);
    x.reset();
    if (there) get(x.emplace(T{}));  // clang: a nested class gets its default member initializers late
  }
  template <class T, class Less>
  void get(std::map<std::string, T, Less>& map) {
    for (std::size_t n = count(); n; --n) {
      std::string key;
      get(key);
      get(map[key]);
    }
  }

  std::span<const std::uint8_t> bytes_;
};

}  // namespace weft
