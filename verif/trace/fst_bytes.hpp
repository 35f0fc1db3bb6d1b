/// Encoding of numbers and compressed data in FST files. Source: the format of GTKWave's FST files, version 3 of its
/// blocks.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace weft::trace::fst {

/// Appends 8 bytes, big-endian.
inline void add_number(std::string& to, std::uint64_t value) {
  for (int shift = 56; shift >= 0; shift -= 8) to.push_back(static_cast<char>(value >> shift));
}

/// Appends a LEB128 number: 7 bits per byte, the lowest first; bit 7 is set if more bytes follow.
inline void add_varint(std::string& to, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) to.push_back(static_cast<char>(value | 0x80));
  to.push_back(static_cast<char>(value));
}

/// As add_varint(), for a number in two's complement: bit 6 of the last byte is the sign.
inline void add_signed_varint(std::string& to, std::int64_t value) {
  for (; value < -0x40 || value >= 0x40; value >>= 7) to.push_back(static_cast<char>(value | 0x80));
  to.push_back(static_cast<char>(value & 0x7f));
}

/// Reads a number written by add_varint() at `at`, and advances `at` past it.
inline std::uint64_t take_varint(std::string_view from, std::size_t& at) {
  std::uint64_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    const auto byte = static_cast<unsigned char>(from[at++]);
    value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
}

enum class Wrap : std::uint8_t { Zlib, Gzip };

/// Compresses `bytes` at `level` (1 to 9). Throws std::runtime_error if zlib runs out of memory.
inline std::string compressed(std::string_view bytes, int level, Wrap wrap = Wrap::Zlib) {
  z_stream stream{};
  if (deflateInit2(&stream, level, Z_DEFLATED, wrap == Wrap::Gzip ? 15 + 16 : 15, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::runtime_error("zlib ran out of memory for a trace");
  std::string packed(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

/// Returns `bytes` compressed, or unchanged if compression does not shorten them: readers recognize this by equal
/// lengths.
inline std::string smaller(std::string bytes, int level) {
  std::string packed = compressed(bytes, level);
  return packed.size() < bytes.size() ? packed : bytes;
}

}  // namespace weft::trace::fst
