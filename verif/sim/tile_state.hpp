/// The architectural state of a Verilated tile, read from the registers of its PE and its router. This file knows their
/// names.
///
/// The state is complete for a tile at rest; for a running tile it lacks what the threads have not yet written.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "isa_machine.hpp"
#include "sw/machine/state.hpp"
#include "verif/sim/port_bits.hpp"
#include "verif/sim/sram_word.hpp"

namespace weft::sim {

#define WEFT_SCALAR(name) pe.weft_pe__DOT__i_scalar__DOT__##name
#define WEFT_THREAD(t, name) WEFT_SCALAR(i_##t##_thread__DOT__##name)
#define WEFT_ENTRIES(lane) pe.weft_pe__DOT__i_vector__DOT__i_lanes__DOT__gen_r__BRA__##lane##__KET____DOT__mem_q
#define WEFT_INPUT(port) router.weft_router__DOT__gen_input__BRA__##port##__KET____DOT__i_input__DOT__route_q

namespace rtl {

// Access by address to the memories of a tile, in either form (`WEFT_BUILT_FORM`, rtl/weft_check.svh). The fast form
// has one array for each memory. The built form has a piece for each power of two (rtl/pe/weft_pe_ram_built.sv), and
// its SRAM has two halves made of pieces (rtl/pe/weft_pe_sram.sv). The simulator's memories are powers of two, so each
// half is one piece.
#ifdef WEFT_BUILT_FORM

// WEFT_PIECE(memory, k): the array of pe_ram_built's piece of 2^k words.
#define WEFT_PIECE(memory, k) memory##__DOT__gen_piece__BRA__##k##__KET____DOT__gen_built__DOT__mem_q
#define WEFT_HALF(half, k) \
  WEFT_PIECE(weft_pe__DOT__i_vector__DOT__i_sram__DOT__gen_words__DOT__gen_half__BRA__##half##__KET____DOT__i_half, k)

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

inline constexpr unsigned kHalted = 0,
                          kDecode = 2;  ///< states in rtl/pe/weft_pe_scalar_pkg.sv; higher values are execution states

/// Calls f(lane, RAM of the lane) for every lane.
template <int Lanes, class PeRoot, class F>
void for_lanes(PeRoot& pe, F f) {
  f(0, WEFT_ENTRIES(0)), f(1, WEFT_ENTRIES(1));
  if constexpr (Lanes >= 4) f(2, WEFT_ENTRIES(2)), f(3, WEFT_ENTRIES(3));
  if constexpr (Lanes >= 8) f(4, WEFT_ENTRIES(4)), f(5, WEFT_ENTRIES(5)), f(6, WEFT_ENTRIES(6)), f(7, WEFT_ENTRIES(7));
  if constexpr (Lanes >= 16)
    f(8, WEFT_ENTRIES(8)), f(9, WEFT_ENTRIES(9)), f(10, WEFT_ENTRIES(10)), f(11, WEFT_ENTRIES(11)),
        f(12, WEFT_ENTRIES(12)), f(13, WEFT_ENTRIES(13)), f(14, WEFT_ENTRIES(14)), f(15, WEFT_ENTRIES(15));
}

/// Reads control registers from csrr's copy; the sequencers have registers of their own, which must agree.
template <class PeRoot>
void read_controls(const PeRoot& pe, machine::TileState& s) {
  const auto copy = [&](unsigned place) {
    const bool written = WEFT_SCALAR(i_csr__DOT__written_q) >> place & 1;
    return written ? static_cast<std::uint16_t>(WEFT_SCALAR(i_csr__DOT__copy_q)[place]) : std::uint16_t{0};
  };
  for (unsigned csr = 0; csr < s.main.control.size(); ++csr) s.main.control[csr] = copy(csr);
  s.psum.control[0] = copy(15);
  const auto& c = s.main.control;
  if ((c[0] & 255) != WEFT_SCALAR(i_csr__DOT__main_vl_q) || c[1] != WEFT_SCALAR(i_csr__DOT__rep_q) ||
      c[2] != WEFT_SCALAR(i_csr__DOT__sta_q) || c[3] != WEFT_SCALAR(i_csr__DOT__stb_q) ||
      c[4] != WEFT_SCALAR(i_csr__DOT__std_q) || c[5] != WEFT_SCALAR(i_csr__DOT__idx_q) ||
      c[6] != WEFT_SCALAR(i_csr__DOT__lmask_q) || (c[7] & 255) != WEFT_SCALAR(i_csr__DOT__str_q) ||
      (s.psum.control[0] & 255) != WEFT_SCALAR(i_csr__DOT__psum_vl_q))
    throw std::logic_error("a control register and the copy that csrr reads differ");
}

template <class PeRoot>
void read_handoffs(const PeRoot& pe, machine::TileState& s) {
  const unsigned state = pe.weft_pe__DOT__i_handoff__DOT__state_q;  // handoff_t of rtl/pe/weft_pe_pkg.sv
  const auto bit = [state](unsigned at) { return static_cast<int>(state >> at & 1); };
  s.pm.taken_buffer = bit(0), s.pm.put_buffer = bit(1);
  s.mp.filled = bit(2) != 0;
  s.mp.taken_buffer = static_cast<int>(state >> 3 & 3), s.mp.put_buffer = static_cast<int>(state >> 5 & 3);
  s.pm.entries.assign(state >> 7 & 3, 0);
  const std::array entries = {pe.weft_pe__DOT__i_handoff__DOT__mp_front_q,
                              pe.weft_pe__DOT__i_handoff__DOT__mp_second_q};
  s.mp.entries.assign(entries.begin(), entries.begin() + (state >> 9 & 3));
}

}  // namespace rtl

/// Reads everything except flags and memory, which have functions of their own.
template <int Lanes, unsigned Colors, class PeRoot, class RouterRoot>
machine::TileState tile_state(const PeRoot& pe, const RouterRoot& router) {
  machine::TileState s;
  s.accumulators.resize(isa::kRDepth * Lanes);
  rtl::for_lanes<Lanes>(pe, [&](std::size_t lane, const auto& entries) {
    for (std::size_t entry = 0; entry < isa::kRDepth; ++entry) s.accumulators[entry * Lanes + lane] = entries[entry];
  });
  for (std::size_t i = 0; i < isa::kIDepth; ++i) s.instructions.push_back(rtl::instruction_word(pe, i));
  const auto thread = [](machine::ThreadState& t, unsigned state, unsigned pc, unsigned executed,
                         const auto& registers) {
    t.runs = state != rtl::kHalted;
    if (t.runs) t.pc = static_cast<std::uint16_t>(state > rtl::kDecode ? executed : pc);
    for (std::size_t r = 1; r < t.registers.size(); ++r) t.registers[r] = registers[r];
  };
  thread(s.main, WEFT_THREAD(main, state_q), WEFT_THREAD(main, pc_q), WEFT_THREAD(main, here_q),
         WEFT_SCALAR(i_main__DOT__rf_q));
  thread(s.psum, WEFT_THREAD(psum, state_q), WEFT_THREAD(psum, pc_q), WEFT_THREAD(psum, here_q),
         WEFT_SCALAR(i_psum__DOT__rf_q));
  rtl::read_controls(pe, s);
  rtl::read_handoffs(pe, s);
  s.selected = pe.weft_pe__DOT__i_command__DOT__selected_q;
  s.instruction_address = pe.weft_pe__DOT__i_command__DOT__i_addr_q;
  s.low_half = pe.weft_pe__DOT__i_command__DOT__i_low_q;
  s.memory_address = pe.weft_pe__DOT__i_command__DOT__m_addr_q;
  const auto routes = [&s](std::size_t port, const auto& bits) {  // [output][color]
    s.routes[port].assign(Colors, 0);
    for (unsigned out = 0; out < 5; ++out)
      for (unsigned color = 0; color < Colors; ++color)
        s.routes[port][color] |= static_cast<std::uint8_t>(bits_at<1>(bits, out * Colors + color) << out);
  };
  routes(0, WEFT_INPUT(0)), routes(1, WEFT_INPUT(1)), routes(2, WEFT_INPUT(2)), routes(3, WEFT_INPUT(3));
  routes(4, WEFT_INPUT(4));
  s.beats = pe.beats_o;
  s.fma_lanes = pe.fma_lanes_o;
  return s;
}

/// Sets a tile at rest, except for memory, program, routes, handoff queues, flags and counters. Wires that depend on
/// the registers follow at the next clock edge.
template <int Lanes, class PeRoot>
void put_state(PeRoot& pe, const machine::TileState& s) {
  rtl::for_lanes<Lanes>(pe, [&](std::size_t lane, auto& entries) {
    for (std::size_t entry = 0; entry < isa::kRDepth; ++entry) entries[entry] = s.accumulators[entry * Lanes + lane];
  });
  for (std::size_t r = 1; r < s.main.registers.size(); ++r) {
    WEFT_SCALAR(i_main__DOT__rf_q)[r] = s.main.registers[r];
    WEFT_SCALAR(i_psum__DOT__rf_q)[r] = s.psum.registers[r];
  }
  const auto& c = s.main.control;
  for (std::size_t csr = 0; csr < c.size(); ++csr) WEFT_SCALAR(i_csr__DOT__copy_q)[csr] = c[csr];
  WEFT_SCALAR(i_csr__DOT__copy_q)[15] = s.psum.control[0];
  WEFT_SCALAR(i_csr__DOT__written_q) = 0x80ff;
  WEFT_SCALAR(i_csr__DOT__main_vl_q) = static_cast<std::uint8_t>(c[0]);
  WEFT_SCALAR(i_csr__DOT__psum_vl_q) = static_cast<std::uint8_t>(s.psum.control[0]);
  WEFT_SCALAR(i_csr__DOT__rep_q) = c[1];
  WEFT_SCALAR(i_csr__DOT__sta_q) = c[2];
  WEFT_SCALAR(i_csr__DOT__stb_q) = c[3];
  WEFT_SCALAR(i_csr__DOT__std_q) = c[4];
  WEFT_SCALAR(i_csr__DOT__idx_q) = c[5];
  WEFT_SCALAR(i_csr__DOT__lmask_q) = c[6];
  WEFT_SCALAR(i_csr__DOT__str_q) = static_cast<std::uint8_t>(c[7]);
  pe.weft_pe__DOT__i_command__DOT__selected_q = s.selected;
  pe.weft_pe__DOT__i_command__DOT__i_addr_q = s.instruction_address;
  pe.weft_pe__DOT__i_command__DOT__i_low_q = s.low_half;
  pe.weft_pe__DOT__i_command__DOT__m_addr_q = s.memory_address;
}

#undef WEFT_SCALAR
#undef WEFT_THREAD
#undef WEFT_ENTRIES
#undef WEFT_INPUT

}  // namespace weft::sim
