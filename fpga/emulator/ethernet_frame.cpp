#include "fpga/emulator/ethernet_frame.hpp"

#include <algorithm>

namespace weft::emulator {
namespace {

constexpr std::size_t kIp = 14, kUdp = 34, kPayload = 42;  // offsets in a frame
constexpr std::size_t kShortest = 60, kFcs = 4;

std::uint32_t crc32(std::span<const std::uint8_t> bytes) {
  static const auto kTable = [] {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t i = 0; i < 256; ++i) {
      table[i] = i;
      for (int bit = 0; bit < 8; ++bit) table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320u : 0);
    }
    return table;
  }();
  std::uint32_t crc = 0xffffffff;
  for (const std::uint8_t byte : bytes) crc = crc >> 8 ^ kTable[(crc ^ byte) & 0xff];
  return ~crc;
}

void put16(std::vector<std::uint8_t>& to, std::size_t value) {
  to.push_back(static_cast<std::uint8_t>(value >> 8));
  to.push_back(static_cast<std::uint8_t>(value));
}

std::size_t get16(std::span<const std::uint8_t> from, std::size_t at) {
  return std::size_t{from[at]} << 8 | from[at + 1];
}

template <std::size_t N>
void append(std::vector<std::uint8_t>& to, const std::array<std::uint8_t, N>& bytes) {
  to.insert(to.end(), bytes.begin(), bytes.end());
}

}  // namespace

std::uint16_t internet_checksum(std::span<const std::uint8_t> bytes) {
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) sum += i % 2 == 0 ? std::uint32_t{bytes[i]} << 8 : bytes[i];
  while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
  return static_cast<std::uint16_t>(~sum);
}

void seal(std::vector<std::uint8_t>& frame) {
  if (frame.size() < kShortest) frame.resize(kShortest);
  const std::uint32_t crc = crc32(frame);
  for (int i = 0; i < 4; ++i) frame.push_back(static_cast<std::uint8_t>(crc >> (8 * i)));
}

std::vector<std::uint8_t> pack(const Datagram& d) {
  std::vector<std::uint8_t> f;
  f.reserve(kPayload + d.payload.size() + kFcs);
  append(f, d.to.mac);
  append(f, d.from.mac);
  for (const int byte : {0x08, 0x00, 0x45, 0x00}) f.push_back(static_cast<std::uint8_t>(byte));
  put16(f, kPayload - kIp + d.payload.size());
  for (const int byte : {0, 0, 0x40, 0, 64, 17, 0, 0}) f.push_back(static_cast<std::uint8_t>(byte));
  append(f, d.from.ip);
  append(f, d.to.ip);
  const std::uint16_t sum = internet_checksum(std::span(f).subspan(kIp));
  f[kIp + 10] = static_cast<std::uint8_t>(sum >> 8);
  f[kIp + 11] = static_cast<std::uint8_t>(sum);
  put16(f, d.from.port);
  put16(f, d.to.port);
  put16(f, kPayload - kUdp + d.payload.size());
  put16(f, 0);
  f.insert(f.end(), d.payload.begin(), d.payload.end());
  seal(f);
  return f;
}

std::optional<Datagram> unpack(std::span<const std::uint8_t> f) {
  if (f.size() < kShortest + kFcs) return {};
  const std::size_t end = f.size() - kFcs;
  const std::uint32_t crc = crc32(f.first(end));
  for (std::size_t i = 0; i < kFcs; ++i)
    if (f[end + i] != static_cast<std::uint8_t>(crc >> (8 * i))) return {};
  const std::size_t total = get16(f, kIp + 2);
  if (get16(f, 12) != 0x0800 || f[kIp] != 0x45 || f[kIp + 9] != 17 || total < kPayload - kIp || kIp + total > end ||
      internet_checksum(f.subspan(kIp, kUdp - kIp)) != 0 || get16(f, kUdp + 4) != total - (kUdp - kIp))
    return {};
  Datagram d;
  std::copy_n(f.begin(), 6, d.to.mac.begin());
  std::copy_n(f.begin() + 6, 6, d.from.mac.begin());
  std::copy_n(f.begin() + kIp + 12, 4, d.from.ip.begin());
  std::copy_n(f.begin() + kIp + 16, 4, d.to.ip.begin());
  d.from.port = static_cast<std::uint16_t>(get16(f, kUdp));
  d.to.port = static_cast<std::uint16_t>(get16(f, kUdp + 2));
  d.payload.assign(f.begin() + kPayload, f.begin() + static_cast<std::ptrdiff_t>(kIp + total));
  return d;
}

}  // namespace weft::emulator
