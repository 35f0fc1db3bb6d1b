/// A word of a Verilated SRAM: a bf16 for each lane, the first lane lowest.
#pragma once

#include <cstdint>
#include <type_traits>

namespace weft::sim {

/// `Word` is Verilator's type: an integer up to 64 bits, 32-bit words above.
template <class Word>
std::uint16_t sram_element(const Word& word, int lane) {
  if constexpr (std::is_integral_v<Word>)
    return static_cast<std::uint16_t>(word >> 16 * lane);
  else
    return static_cast<std::uint16_t>(word[lane / 2] >> 16 * (lane % 2));
}

template <class Word>
void set_sram_element(Word& word, int lane, std::uint16_t value) {
  if constexpr (std::is_integral_v<Word>)
    word = static_cast<Word>((word & ~(Word{0xffff} << 16 * lane)) | Word{value} << 16 * lane);
  else
    set_sram_element(word[lane / 2], lane % 2, value);
}

}  // namespace weft::sim
