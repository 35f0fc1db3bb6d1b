#include "host/data/width_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <initializer_list>

#include "sw/base/refusal.hpp"
#include "sw/compiler/token_id.hpp"

namespace weft {
namespace {

constexpr std::uint64_t kEnough = 32;  // groups of four numbers
constexpr auto kUpper = static_cast<std::uint16_t>((kMostTokens - 1) >> 16);
constexpr const char* kWrite =
    "write numpy.uint16, or a header of llm.c (20240801, 7, number of tokens) and numpy.uint32";

std::uint16_t swapped(std::uint16_t number) { return __builtin_bswap16(number); }

}  // namespace

void WidthCheck::see(std::span<const std::uint8_t> bytes) {
  std::array<std::uint16_t, 4> group{};
  for (; bytes.size() >= sizeof group; bytes = bytes.subspan(sizeof group)) {
    std::memcpy(group.data(), bytes.data(), sizeof group);
    for (std::size_t k = 0; k < group.size(); ++k) {
      const std::uint16_t number = group[k];
      positions_[k].zeros += number == 0 ? 1 : 0;
      positions_[k].small += number <= kUpper ? 1 : 0;
      positions_[k].swapped += swapped(number) <= kUpper ? 1 : 0;
      most_ = std::max(most_, number);
      most_swapped_ = std::max(most_swapped_, swapped(number));
      most_byte_ = std::max<std::uint16_t>(most_byte_, std::max<std::uint16_t>(number >> 8, number & 0xFFU));
    }
    ++groups_;
  }
  for (; bytes.size() >= 2; bytes = bytes.subspan(2)) {  // less than a group: no share of a position
    std::uint16_t number = 0;
    std::memcpy(&number, bytes.data(), sizeof number);
    most_ = std::max(most_, number);
    most_swapped_ = std::max(most_swapped_, swapped(number));
    most_byte_ = std::max<std::uint16_t>(most_byte_, std::max<std::uint16_t>(number >> 8, number & 0xFFU));
  }
}

double WidthCheck::share(std::uint64_t Position::*what, std::initializer_list<int> positions) const {
  std::uint64_t sum = 0;
  for (const int position : positions) sum += positions_[static_cast<std::size_t>(position)].*what;
  return static_cast<double>(sum) / static_cast<double>(groups_ * positions.size());
}

/// Upper halves may be something else here and there, as -1 of a token that counts for nothing; lower halves may be
/// small often, as of characters, or always 0 to 4 where all upper ones are 0.
int WidthCheck::bits(bool big_endian) const {
  constexpr double kNearlyAll = 0.9, kHalf = 0.5, kSome = 0.05;
  const auto upper = big_endian ? &Position::swapped : &Position::small;
  const auto is_upper = [&](std::initializer_list<int> high, std::initializer_list<int> low) {
    const bool only_zeros = share(&Position::zeros, high) == 1 && share(&Position::zeros, low) <= 1 - kSome;
    return only_zeros || (share(upper, high) >= kNearlyAll && share(upper, low) <= kHalf);
  };
  if (big_endian ? is_upper({0, 1, 2}, {3}) : is_upper({1, 2, 3}, {0})) return 64;
  if (big_endian ? is_upper({0, 2}, {1, 3}) : is_upper({1, 3}, {0, 2})) return 32;
  return 16;
}

void WidthCheck::check() const {
  if (groups_ < kEnough) return;
  for (const bool big_endian : {false, true}) {
    const int found = bits(big_endian);
    if (found == 16) continue;
    throw Refusal(
        "",
        fmt::format("has {} bits a token{}: {} of 16 {} 0 or small", found, big_endian ? ", big endian" : "",
                    found == 32 ? "every second number" : "three of four numbers", found == 32 ? "is" : "are"),
        kWrite);
  }
}

void WidthCheck::check(std::int64_t vocab) const {
  check();
  if (most_ >= vocab && most_swapped_ < vocab)
    throw Refusal("", "is big endian: tokens are below model.vocab_size only with their bytes swapped",
                  "write it little endian (numpy: '<u2')");
  if (most_ >= vocab && most_byte_ < vocab && vocab <= 256)
    throw Refusal("",
                  "has 8 bits a token, or is text: its bytes are below model.vocab_size, its numbers of 16 bits not",
                  "write numpy.uint16; name a text *.txt");
  if (vocab > 1 << 16)
    throw Refusal("", fmt::format("has 16 bits a token, too few for model.vocab_size {}", vocab),
                  "write a header of llm.c (20240801, 7, number of tokens) and numpy.uint32");
}

}  // namespace weft
