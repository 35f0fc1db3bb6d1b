#include "sw/base/crc32c.hpp"

#include <cstring>

#if defined(__SSE4_2__)
#include <nmmintrin.h>
#else
#include <boost/crc.hpp>
#endif

namespace weft {

#if defined(__SSE4_2__)
std::uint32_t crc32c(std::span<const std::uint8_t> bytes, std::uint32_t before) {
  std::uint64_t crc = ~before;
  while (bytes.size() >= 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), 8);
    crc = _mm_crc32_u64(crc, word);
    bytes = bytes.subspan(8);
  }
  for (const std::uint8_t byte : bytes) crc = _mm_crc32_u8(static_cast<std::uint32_t>(crc), byte);
  return ~static_cast<std::uint32_t>(crc);
}
#else
std::uint32_t crc32c(std::span<const std::uint8_t> bytes, std::uint32_t before) {
  std::uint32_t start = 0;  // Boost wants the first bit on top
  for (int bit = 0; bit < 32; ++bit) start |= (~before >> bit & 1U) << (31 - bit);
  boost::crc_optimal<32, 0x1EDC6F41, 0xFFFFFFFF, 0xFFFFFFFF, true, true> crc(start);
  crc.process_bytes(bytes.data(), bytes.size());
  return crc.checksum();
}
#endif

}  // namespace weft
