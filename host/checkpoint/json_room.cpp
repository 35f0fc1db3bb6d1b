#include "host/checkpoint/json_room.hpp"

#include <algorithm>

#include "host/checkpoint/file.hpp"
#include "sw/base/memory_room.hpp"

namespace weft::checkpoint {

double json_tree_bytes(std::string_view text) {
  // Bytes allocated on the heap by glibc on 64-bit systems.
  constexpr double kText = 48;       // a std::string of up to kInPlace bytes, as a value
  constexpr double kLong = 32;       // additional overhead of a longer string
  constexpr double kKey = 48;        // the part of a std::map's node that kText does not include
  constexpr double kContainer = 64;  // an empty std::map or std::vector
  constexpr double kValue = 64;      // 16, at most three times in a grown vector, and 16 for destruction
  constexpr std::size_t kInPlace = 15;
  double bytes = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    switch (text[at]) {
      case '"': {
        const std::size_t begin = at + 1;
        for (at = begin; at < text.size() && text[at] != '"'; ++at) at += text[at] == '\\' ? 1 : 0;
        const std::size_t length = std::min(at, text.size()) - begin;
        bytes += kText + (length > kInPlace ? kLong + static_cast<double>(length) : 0);
        break;
      }
      case ':':
        bytes += kKey;
        break;
      case ',':
        bytes += kValue;
        break;
      case '[':
      case '{':
        bytes += kContainer + kValue;
        break;
      default:
        break;
    }
  }
  return bytes;
}

void check_json_fits(std::string_view text, const std::string& file) {
  constexpr double kSmall = 1 << 20, kMade = 1.5, kKept = 32 << 20;  // kKept: reserve, as in MemoryBound
  const double bytes = kMade * json_tree_bytes(text);
  if (bytes < kSmall) return;  // querying the system would take longer
  const double left = memory_room().left;
  if (bytes > left - std::min(kKept, left / 8)) throw does_not_fit(file, text.size(), ", and its values take more");
}

}  // namespace weft::checkpoint
