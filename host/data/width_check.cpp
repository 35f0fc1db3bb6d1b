#include "host/data/width_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "sw/base/refusal.hpp"
#include "sw/base/token_id.hpp"

namespace weft::data {
namespace {

constexpr std::uint64_t kEnough = 32;  // groups of four numbers
constexpr auto kUpper = static_cast<std::uint16_t>((kMostTokens - 1) >> 16);
constexpr const char* kWrite =
    "write numpy.uint16, or a header of llm.c (20240801, 7, number of tokens) and numpy.uint32";
constexpr auto kWriteWide = "write numpy.uint16; name a text *.txt";

constexpr auto kMinusOne = static_cast<std::uint16_t>(-1);

std::uint16_t swapped(std::uint16_t number) { return __builtin_bswap16(number); }

bool is_control(std::size_t byte) {
  return (byte < ' ' && byte != '\t' && byte != '\n' && byte != '\r') || byte == 127;
}

}  // namespace

void WidthCheck::Groups::examine(std::span<const std::uint16_t> group) {
  const auto all = [&](std::uint16_t what) {
    return std::ranges::all_of(group, [&](std::uint16_t number) { return number == what; });
  };
  if (all(kMinusOne)) return;
  ++count;
  padding += all(0) ? 1 : 0;
  for (std::size_t k = 0; k < group.size(); ++k) {
    positions[k].zeros += group[k] == 0 ? 1 : 0;
    positions[k].small += group[k] <= kUpper ? 1 : 0;
    positions[k].swapped += swapped(group[k]) <= kUpper ? 1 : 0;
  }
}

void WidthCheck::see_bytes(std::uint16_t number) {
  constexpr std::uint64_t kMost = 1 << 20;  // numbers at the beginning of a long file
  if (counted_ + padding_ >= kMost) return;
  const bool is_padding = number == 0 || number == kMinusOne;
  ++(is_padding ? padding_ : counted_);
  if (is_padding) return;
  ++bytes_[0][number & 0xFFU];
  ++bytes_[1][number >> 8];
}

void WidthCheck::examine(std::span<const std::uint8_t> bytes) {
  const auto see_number = [&](std::uint16_t number) {
    most_ = std::max(most_, number);
    most_swapped_ = std::max(most_swapped_, swapped(number));
    most_byte_ = std::max<std::uint16_t>(most_byte_, std::max<std::uint16_t>(number >> 8, number & 0xFFU));
    see_bytes(number);
  };
  std::array<std::uint16_t, 4> group{};
  for (; bytes.size() >= sizeof group; bytes = bytes.subspan(sizeof group)) {
    std::memcpy(group.data(), bytes.data(), sizeof group);
    fours_.examine(group);
    pairs_.examine(std::span(group).first(2));
    pairs_.examine(std::span(group).last(2));
    for (const std::uint16_t number : group) see_number(number);
    ++groups_;
  }
  for (; bytes.size() >= 2; bytes = bytes.subspan(2)) {  // less than a group: not counted by position
    std::uint16_t number = 0;
    std::memcpy(&number, bytes.data(), sizeof number);
    see_number(number);
  }
}

/// The share among the upper parts of all groups, or among their lowest ones; `without` groups of zeros are excluded.
double WidthCheck::Groups::share(std::uint64_t Position::*what, bool upper, bool big_endian,
                                 std::uint64_t without) const {
  const std::size_t low = big_endian ? numbers - 1 : 0;
  std::uint64_t sum = 0;
  for (std::size_t k = 0; k < numbers; ++k)
    if ((k != low) == upper) sum += positions[k].*what - without;
  return static_cast<double>(sum) / static_cast<double>((count - without) * (upper ? numbers - 1 : 1));
}

/// Thresholds: a few upper halves may have other values; lower halves may often be small, as for characters, or always
/// be 0 to 4 if all upper ones are 0. Padding is no evidence, so a file that consists almost entirely of padding is
/// accepted.
bool WidthCheck::Groups::are_wide(bool big_endian) const {
  constexpr double kNearlyAll = 0.9, kHalf = 0.5, kSome = 0.05;
  const std::uint64_t others = count - padding;
  if (others * numbers < 4 * kEnough || static_cast<double>(others) < kSome * static_cast<double>(count)) return false;
  const auto zeros = &Position::zeros, small = big_endian ? &Position::swapped : &Position::small;
  if (share(zeros, true, big_endian, 0) == 1 && share(zeros, false, big_endian, 0) <= 1 - kSome) return true;
  return share(small, true, big_endian, padding) >= kNearlyAll && share(small, false, big_endian, padding) <= kHalf;
}

int WidthCheck::bits(bool big_endian) const {
  if (fours_.are_wide(big_endian)) return 64;
  return pairs_.are_wide(big_endian) ? 32 : 16;
}

/// Tokens of 16 bits always have some upper or lower bytes below 32, for any kind of data.
bool WidthCheck::is_text() const {
  constexpr double kFew = 0.01;
  std::uint64_t others = 2 * padding_;
  for (std::size_t byte = 0; byte < 256; ++byte) others += is_control(byte) ? bytes_[0][byte] + bytes_[1][byte] : 0;
  return static_cast<double>(others) <= kFew * static_cast<double>(2 * (counted_ + padding_));
}

/// Compares the byte distributions at even and odd positions. The distance of two distributions is half the sum of
/// their differences: 0 if they are equal, 1 if they are disjoint. Random 16-bit ids also have equal distributions at
/// both positions, but uniform ones.
bool WidthCheck::has_8_bits() const {
  constexpr double kAlike = 0.1, kUneven = 0.2, kMostNoise = 0.2;
  if (counted_ < 4 * kEnough) return false;
  const auto count = static_cast<double>(counted_);
  double apart = 0, uneven = 0, kinds = 0;
  for (std::size_t byte = 0; byte < 256; ++byte) {
    const auto lower = static_cast<double>(bytes_[0][byte]) / count,
               upper = static_cast<double>(bytes_[1][byte]) / count;
    apart += std::abs(lower - upper) / 2;
    uneven += std::abs((lower + upper) / 2 - 1. / 256) / 2;
    kinds += lower + upper > 0 ? 1 : 0;
  }
  // The mean distance of two samples of one distribution is at most 0.56 sqrt(kinds / count).
  const double noise = 0.6 * std::sqrt(kinds / count);
  return kinds > 2 && noise <= kMostNoise && apart <= kAlike + noise && uneven >= kUneven + noise;
}

void WidthCheck::check() const {
  if (groups_ < kEnough) return;
  for (const bool big_endian : {false, true}) {
    const int found = bits(big_endian);
    if (found == 16) continue;
    throw Refusal(
        "",
        fmt::format("has {} bits per token{}: {} of 16 bits {} 0 or small", found, big_endian ? ", big endian" : "",
                    found == 32 ? "every second number" : "three of four numbers", found == 32 ? "is" : "are"),
        kWrite);
  }
  if (is_text()) throw Refusal("", "is text, or has 8 bits per token: the file has no control bytes", kWriteWide);
  if (has_8_bits())
    throw Refusal("", "has 8 bits per token, or is text: even and odd bytes have the same distribution", kWriteWide);
}

void WidthCheck::check(std::int64_t vocab) const {
  check();
  if (most_ >= vocab && most_swapped_ < vocab)
    throw Refusal("", "is big endian: tokens are below model.vocab_size only with their bytes swapped",
                  "write it little endian (numpy: '<u2')");
  if (most_ >= vocab && most_byte_ < vocab && vocab <= 256)
    throw Refusal("", "has 8 bits per token, or is text: bytes are below model.vocab_size, numbers of 16 bits are not",
                  kWriteWide);
  if (vocab > 1 << 16)
    throw Refusal("", fmt::format("has 16 bits per token, too few for model.vocab_size {}", vocab),
                  "write a header of llm.c (20240801, 7, number of tokens) and numpy.uint32");
}

}  // namespace weft::data
