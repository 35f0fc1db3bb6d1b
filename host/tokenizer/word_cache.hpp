/// Cache of the tokens of recent short words.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

namespace weft::tokenizer {

/// Direct-mapped: each word has one slot, which the next word with the same slot overwrites. The cache takes 2 MiB,
/// which fits into a core's L2 cache.
class WordCache {
 public:
  static constexpr std::size_t kMostBytes = 15, kMostTokens = 4;

  /// A word of 1..kMostBytes bytes.
  struct Key {
    std::uint64_t low = 0, high = 0;  ///< the word's bytes, with its length in the last one
    bool operator==(const Key&) const = default;
  };
  static Key key(std::string_view word) {
    std::array<char, 16> bytes{};
    std::memcpy(bytes.data(), word.data(), word.size());
    bytes[15] = static_cast<char>(word.size());
    Key result;
    std::memcpy(&result, bytes.data(), sizeof result);
    return result;
  }

  /// Appends the tokens; false if the cache does not have the word.
  bool find(const Key& key, std::vector<std::uint32_t>& ids) const {
    const Slot& slot = slots_[index(key)];
    if (slot.key != key) return false;
    for (const std::uint32_t id : slot.ids) {
      if (id == kNone) break;
      ids.push_back(id);
    }
    return true;
  }

  /// Words of more than kMostTokens tokens are not kept.
  void keep(const Key& key, std::span<const std::uint32_t> ids) {
    if (ids.size() > kMostTokens) return;
    Slot& slot = slots_[index(key)];
    slot.key = key;
    slot.ids.fill(kNone);
    std::copy(ids.begin(), ids.end(), slot.ids.begin());
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffff;
  static constexpr int kBits = 16;
  struct Slot {
    Key key;
    std::array<std::uint32_t, kMostTokens> ids;
  };

  static std::size_t index(const Key& key) {
    std::uint64_t mixed = (key.low ^ key.high * 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9;
    mixed ^= mixed >> 32;
    return mixed * 0x94d049bb133111eb >> (64 - kBits);
  }

  std::vector<Slot> slots_ = std::vector<Slot>(std::size_t{1} << kBits);
};

}  // namespace weft::tokenizer
