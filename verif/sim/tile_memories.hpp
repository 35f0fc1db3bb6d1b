/// Access by address to the memories of a Verilated tile, in either form (`WEFT_BUILT_FORM`, rtl/weft_check.svh).
///
/// The fast form has one array for each memory. The built form has a piece for each power of two
/// (rtl/pe/weft_pe_ram_built.sv), and its SRAM has two halves made of pieces (rtl/pe/weft_pe_sram.sv). The simulator's
/// memories are powers of two, so each half is one piece.
#pragma once

#include <cstddef>

#include "isa_machine.hpp"

namespace weft::sim::rtl {

#ifdef WEFT_BUILT_FORM

// WEFT_PIECE(memory, k): the array of pe_ram_built's piece of 2^k words.
#define WEFT_PIECE(memory, k) memory##__DOT__gen_piece__BRA__##k##__KET____DOT__gen_built__DOT__mem_q
#define WEFT_HALF(half, k) \
  WEFT_PIECE(weft_pe__DOT__i_vector__DOT__i_sram__DOT__gen_half__BRA__##half##__KET____DOT__i_half, k)

template <class PeRoot>
auto& instruction_word(PeRoot& pe, std::size_t address) {
  static_assert(isa::kIDepth == 1 << 10);
  return pe.WEFT_PIECE(weft_pe__DOT__i_imem__DOT__i_built, 10)[address];
}

/// A half has 2^15 / Lanes words: 64 KiB of bf16.
template <int Lanes, class PeRoot>
auto& sram_word(PeRoot& pe, std::size_t address) {
  static_assert(Lanes == 4, "the built form is simulated with 4 lanes");
  constexpr std::size_t kHalf = 1 << 13;
  return address < kHalf ? pe.WEFT_HALF(0, 13)[address] : pe.WEFT_HALF(1, 13)[address - kHalf];
}

#undef WEFT_HALF
#undef WEFT_PIECE

#else

template <class PeRoot>
auto& instruction_word(PeRoot& pe, std::size_t address) {
  return pe.weft_pe__DOT__i_imem__DOT__mem_q[address];
}

/// A word holds a bf16 for each lane.
template <int Lanes, class PeRoot>
auto& sram_word(PeRoot& pe, std::size_t address) {
  return pe.weft_pe__DOT__i_vector__DOT__i_sram__DOT__mem_q[address];
}

#endif

}  // namespace weft::sim::rtl
