/// Text to token ids, one byte a token.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// The vocabulary is the sorted set of bytes of a corpus: the smallest byte is token 0.
class CharTokenizer {
 public:
  explicit CharTokenizer(std::string_view corpus);

  int size() const { return static_cast<int>(bytes_.size()); }
  /// Throws std::out_of_range naming the first byte that the corpus did not have.
  std::vector<std::uint16_t> encode(std::string_view text) const;
  /// Ids from 0 to size() - 1.
  std::string decode(const std::vector<std::uint16_t>& tokens) const;

 private:
  static constexpr std::uint16_t kNone = 0xffff;
  std::string bytes_;                     // token -> byte
  std::array<std::uint16_t, 256> token_;  // byte -> token, or kNone
};

}  // namespace weft
