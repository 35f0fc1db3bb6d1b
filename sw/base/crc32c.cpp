#include "sw/base/crc32c.hpp"

#include <array>
#include <cstddef>
#include <cstring>

#if defined(__SSE4_2__)
#include <nmmintrin.h>
#else
#include <boost/crc.hpp>
#endif

namespace weft {

#if defined(__SSE4_2__)
namespace {

constexpr std::size_t kPiece = 1024;  // bytes

std::uint64_t step(std::uint64_t crc, const std::uint8_t* eight) {
  std::uint64_t word = 0;
  std::memcpy(&word, eight, sizeof word);
  return _mm_crc32_u64(crc, word);
}

/// Advances a checksum over `kPiece` bytes of zeros: one table lookup for each byte of the checksum, combined by XOR.
class BehindAPiece {
 public:
  BehindAPiece() {
    for (std::size_t byte = 0; byte < 4; ++byte)
      for (std::uint32_t value = 0; value < 256; ++value) {
        std::uint64_t crc = value << (8 * byte);
        for (std::size_t k = 0; k < kPiece; k += 8) crc = _mm_crc32_u64(crc, 0);
        table_[byte][value] = static_cast<std::uint32_t>(crc);
      }
  }
  std::uint64_t operator()(std::uint64_t crc) const {
    return table_[0][crc & 255] ^ table_[1][crc >> 8 & 255] ^ table_[2][crc >> 16 & 255] ^ table_[3][crc >> 24 & 255];
  }

 private:
  std::array<std::array<std::uint32_t, 256>, 4> table_;
};

}  // namespace

/// Each step needs the result of the previous one, so three pieces are computed in parallel to hide the latency.
std::uint32_t crc32c(std::span<const std::uint8_t> bytes, std::uint32_t before) {
  static const BehindAPiece behind;
  std::uint64_t crc = ~before;
  for (; bytes.size() >= 3 * kPiece; bytes = bytes.subspan(3 * kPiece)) {
    std::uint64_t second = 0, third = 0;
    for (std::size_t k = 0; k < kPiece; k += 8) {
      crc = step(crc, bytes.data() + k);
      second = step(second, bytes.data() + kPiece + k);
      third = step(third, bytes.data() + 2 * kPiece + k);
    }
    crc = behind(behind(crc) ^ second) ^ third;
  }
  for (; bytes.size() >= 8; bytes = bytes.subspan(8)) crc = step(crc, bytes.data());
  for (const std::uint8_t byte : bytes) crc = _mm_crc32_u8(static_cast<std::uint32_t>(crc), byte);
  return ~static_cast<std::uint32_t>(crc);
}
#else
std::uint32_t crc32c(std::span<const std::uint8_t> bytes, std::uint32_t before) {
  std::uint32_t start = 0;  // Boost takes the first bit as the most significant
  for (int bit = 0; bit < 32; ++bit) start |= (~before >> bit & 1U) << (31 - bit);
  boost::crc_optimal<32, 0x1EDC6F41, 0xFFFFFFFF, 0xFFFFFFFF, true, true> crc(start);
  crc.process_bytes(bytes.data(), bytes.size());
  return crc.checksum();
}
#endif

namespace {

/// Product of two polynomials modulo Castagnoli's; the coefficient of x^0 is the most significant bit.
std::uint32_t product(std::uint32_t a, std::uint32_t b) {
  std::uint32_t sum = 0;
  for (; a != 0; a <<= 1) {
    if (a >> 31 != 0) sum ^= b;
    b = (b & 1) != 0 ? b >> 1 ^ 0x82F63B78U : b >> 1;
  }
  return sum;
}

}  // namespace

// A checksum is a polynomial's remainder: n further bytes multiply it by x^(8n). (As zlib's crc32_combine.)
std::uint32_t crc32c_joined(std::uint32_t first, std::uint32_t second, std::uint64_t count) {
  std::uint32_t power = 1U << 31;                                   // x^0
  for (std::uint32_t square = 1U << 23; count != 0; count >>= 1) {  // x^8, x^16, x^32, ...
    if ((count & 1) != 0) power = product(square, power);
    square = product(square, square);
  }
  return product(power, first) ^ second;
}

}  // namespace weft
