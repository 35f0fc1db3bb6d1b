#include "host/checkpoint/json_room.hpp"

#include <algorithm>

#include "host/checkpoint/file.hpp"
#include "sw/base/memory_room.hpp"

namespace weft {

double json_tree_bytes(std::string_view text) {
  // Bytes on the heap of glibc, 64 bits.
  constexpr double kText = 48;       // a std::string of up to kInPlace bytes by itself, as a value
  constexpr double kLong = 32;       // what the bytes of a longer one take more
  constexpr double kKey = 48;        // of a std::map's node what kText does not count
  constexpr double kContainer = 64;  // a std::map or std::vector by itself
  constexpr double kValue = 64;      // 16 in a vector that has grown, three times at most, and 16 to destroy it
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
  constexpr double kSmall = 1 << 20, kMade = 1.5, kKept = 32 << 20;  // kKept: as MemoryBound keeps
  const double bytes = kMade * json_tree_bytes(text);
  if (bytes < kSmall) return;  // to ask the system takes longer
  const double left = memory_room().left;
  if (bytes > left - std::min(kKept, left / 8)) throw does_not_fit(file, text.size(), ", and its values take more");
}

}  // namespace weft
