/// Frames that a host sends to a board: ARP requests, pings, datagrams.
#pragma once

#include <algorithm>
#include <functional>

#include "tests/fpga/ethernet_bench.hpp"

namespace weft::test {

template <class T>
void append(Bytes& to, const T& bytes) {
  to.insert(to.end(), bytes.begin(), bytes.end());
}

inline constexpr std::array<std::uint8_t, 6> kAll{255, 255, 255, 255, 255, 255};

/// An ARP request without its checksum.
inline Bytes arp(const emulator::EthernetAddress& from, const std::array<std::uint8_t, 4>& wanted,
                 const std::array<std::uint8_t, 6>& to = kAll) {
  Bytes f;
  append(f, to);
  append(f, from.mac);
  append(f, Bytes{8, 6, 0, 1, 8, 0, 6, 4, 0, 1});
  append(f, from.mac);
  append(f, from.ip);
  f.resize(f.size() + 6);
  append(f, wanted);
  return f;
}

inline Bytes ping(const emulator::EthernetAddress& from, std::size_t bytes) {
  Bytes f;
  append(f, kBoard.mac);
  append(f, from.mac);
  append(f, Bytes{8, 0, 0x45, 0});
  const std::size_t total = 28 + bytes;
  append(f, Bytes{static_cast<std::uint8_t>(total >> 8), static_cast<std::uint8_t>(total), 1, 2, 0x40, 0, 64, 1, 0, 0});
  append(f, from.ip);
  append(f, kBoard.ip);
  append(f, Bytes{8, 0, 0, 0, 0x12, 0x34, 0, 1});
  for (std::size_t i = 0; i < bytes; ++i) f.push_back(static_cast<std::uint8_t>(i * 7));
  const auto sum = [&](std::size_t at, std::size_t begin, std::size_t end) {
    const std::uint16_t s = emulator::internet_checksum(std::span(f).subspan(begin, end - begin));
    f[at] = static_cast<std::uint8_t>(s >> 8), f[at + 1] = static_cast<std::uint8_t>(s);
  };
  sum(24, 14, 34);
  sum(36, 34, f.size());
  return f;
}

inline Bytes sealed(Bytes f) {
  emulator::seal(f);
  return f;
}

inline Bytes poll() { return encode({.session = 7, .kind = kPoll}); }

inline Bytes data(std::size_t bytes) {
  Frame f{.session = 7, .kind = kData};
  for (std::size_t i = 0; i < bytes; ++i) f.payload.push_back(static_cast<std::uint8_t>(i * 11));
  return encode(f);
}

}  // namespace weft::test
