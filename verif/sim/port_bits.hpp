/// Access to a port of a Verilated module that has some bits for each of several links: an integer, or 32-bit words
/// above 64 bits.
#pragma once

#include <cstdint>
#include <type_traits>

namespace weft::sim {

/// Bits [first, first + Count) of a port; Count is at most 32.
template <unsigned Count, class Port>
unsigned bits_at(const Port& port, unsigned first) {
  constexpr auto mask = static_cast<unsigned>((std::uint64_t{1} << Count) - 1);
  if constexpr (std::is_integral_v<Port>) {
    return static_cast<unsigned>(port >> first) & mask;
  } else {
    const unsigned word = first / 32, shift = first % 32;
    std::uint64_t bits = port[word] >> shift;
    if (shift + Count > 32) bits |= std::uint64_t{port[word + 1]} << (32 - shift);
    return static_cast<unsigned>(bits) & mask;
  }
}

/// ORs `bits` into the port at bit `first`.
template <class Port>
void set_bits_at(Port& port, unsigned first, unsigned bits) {
  if constexpr (std::is_integral_v<Port>) {
    port |= static_cast<Port>(static_cast<std::uint64_t>(bits) << first);
  } else {
    const std::uint64_t wide = static_cast<std::uint64_t>(bits) << first % 32;
    port[first / 32] |= static_cast<std::uint32_t>(wide);
    if (wide >> 32) port[first / 32 + 1] |= static_cast<std::uint32_t>(wide >> 32);
  }
}

template <class Port>
void flip_bit(Port& port, unsigned place) {
  if constexpr (std::is_integral_v<Port>)
    port ^= static_cast<Port>(std::uint64_t{1} << place);
  else
    port[place / 32] ^= 1u << place % 32;
}

template <class Port>
void clear_bits(Port& port) {
  if constexpr (std::is_integral_v<Port>) {
    port = 0;
  } else {
    for (unsigned word = 0; word < sizeof port / 4; ++word) port[word] = 0;
  }
}

template <class Port>
bool any_bit(const Port& port) {
  if constexpr (std::is_integral_v<Port>) {
    return port != 0;
  } else {
    std::uint32_t any = 0;
    for (unsigned word = 0; word < sizeof port / 4; ++word) any |= port[word];
    return any != 0;
  }
}

}  // namespace weft::sim
