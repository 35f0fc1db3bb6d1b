#include "host/tokenizer/unicode/characters.hpp"

#include <algorithm>
#include <vector>

namespace weft::tokenizer {
namespace {

std::vector<std::uint8_t> spread_categories() {
  std::vector<std::uint8_t> result(kCodePoints);
  for (std::size_t i = 0; i < kCategoryRangeCount; ++i) {
    const std::uint32_t first = kCategoryRanges[i] >> 8;
    const std::uint32_t end = i + 1 < kCategoryRangeCount ? kCategoryRanges[i + 1] >> 8 : kCodePoints;
    std::fill(result.begin() + first, result.begin() + end, static_cast<std::uint8_t>(kCategoryRanges[i] & 0xff));
  }
  return result;
}

std::vector<Kind> kinds() {
  std::vector<Kind> result(kCodePoints, Kind::Other);
  for (std::uint32_t c = 0; c < kCodePoints; ++c) {
    const char major = kCategoryNames[categories()[c]][0];
    if (major == 'L') result[c] = Kind::Letter;
    if (major == 'N') result[c] = Kind::Number;
    if (major == 'Z' || (c >= '\t' && c <= '\r') || c == 0x85) result[c] = Kind::Space;
  }
  return result;
}

bool continues(const char* at) { return (static_cast<unsigned char>(*at) & 0xc0) == 0x80; }

}  // namespace

const std::uint8_t* categories() {
  static const std::vector<std::uint8_t> all = spread_categories();
  return all.data();
}

Kind kind_of(std::uint32_t code) {
  static const std::vector<Kind> all = kinds();
  return code < kCodePoints ? all[code] : Kind::Other;
}

Character character_at(const char* at, const char* end) {
  constexpr Character kBad{kInvalid, 1};
  const auto byte = [&](int i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(at[i])); };
  const std::uint32_t first = byte(0);
  if (first < 0x80) return {first, 1};
  if (first < 0xc2 || first > 0xf4) return kBad;
  const int length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (end - at < length) return kBad;
  for (int i = 1; i < length; ++i)
    if (!continues(at + i)) return kBad;
  if (length == 2) return {(first & 0x1f) << 6 | (byte(1) & 0x3f), 2};
  if (length == 3) {
    const std::uint32_t code = (first & 0x0f) << 12 | (byte(1) & 0x3f) << 6 | (byte(2) & 0x3f);
    return code < 0x800 || (code >= 0xd800 && code < 0xe000) ? kBad : Character{code, 3};
  }
  const std::uint32_t code = (first & 0x07) << 18 | (byte(1) & 0x3f) << 12 | (byte(2) & 0x3f) << 6 | (byte(3) & 0x3f);
  return code < 0x10000 || code >= kCodePoints ? kBad : Character{code, 4};
}

void append_utf8(std::uint32_t code, std::string& out) {
  const auto put = [&](std::uint32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (code < 0x80) return put(code);
  if (code < 0x800) {
    put(0xc0 | code >> 6);
  } else if (code < 0x10000) {
    put(0xe0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3f));
  } else {
    put(0xf0 | code >> 18);
    put(0x80 | (code >> 12 & 0x3f));
    put(0x80 | (code >> 6 & 0x3f));
  }
  put(0x80 | (code & 0x3f));
}

}  // namespace weft::tokenizer
