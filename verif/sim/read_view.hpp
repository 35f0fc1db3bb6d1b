/// A TileView from the registers and wires of a Verilated PE and its router. Requires a build with traces, which keeps
/// the wires.
#pragma once

#include <algorithm>
#include <type_traits>

#include "verif/sim/sram_word.hpp"
#include "verif/sim/tile_state.hpp"
#include "verif/sim/tile_view.hpp"

namespace weft::sim {

#define WEFT_THREAD(t, name) pe.weft_pe__DOT__i_scalar__DOT__i_##t##_thread__DOT__##name
#define WEFT_UNIT(name) pe.weft_pe__DOT__i_vector__DOT__##name

namespace rtl {

inline constexpr unsigned kSelectC = 8, kCReg = 2;  ///< position of c's selector in beat_lanes_t; value of beat_c_e
inline constexpr unsigned kUseX = 7;                ///< bit of beat_lanes_t
inline constexpr unsigned kEndBits = 15;  ///< bits of beat_end_t; in pe_writeback's ring the address is above them

inline ThreadView thread_view(unsigned state, unsigned pc, unsigned executed, unsigned sequencer, bool issues) {
  return {.state = state, .pc = state > kDecode ? executed : pc, .sequencer = sequencer, .issues = issues};
}

/// Decodes the issued beat from its packed structs (rtl/pe/weft_pe_pkg.sv: beat_t, beat_addr_t).
inline void read_beat(TileView& v, std::uint64_t beat, std::uint64_t addr) {
  v.reads_m = beat >> 39 & 1;
  v.reads_b = beat >> 38 & 1;
  v.reads_c = beat >> 37 & 1;
  v.m = static_cast<std::uint16_t>(addr >> 32);
  v.r_b = static_cast<std::uint8_t>(addr >> 24);
  v.r_c = static_cast<std::uint8_t>(addr >> 16);
}

}  // namespace rtl

/// Reads the view. The wires must be settled: clock_edge.hpp, follow_inputs().
template <int Lanes, class PeRoot, class RouterRoot>
TileView tile_view(const PeRoot& pe, const RouterRoot& router) {
  TileView v;
  for (unsigned p = 0; p < v.ports.size(); ++p) {
    v.ports[p] = {.in_valid = (router.valid_i >> p & 1) != 0,
                  .out_valid = (router.valid_o >> p & 1) != 0,
                  .in = router.msg_i[p],
                  .out = router.msg_o[p]};
  }
  v.main = rtl::thread_view(WEFT_THREAD(main, state_q), WEFT_THREAD(main, pc_q), WEFT_THREAD(main, here_q),
                            pe.weft_pe__DOT__i_main_seq__DOT__state_q, pe.main_issue_o);
  v.psum = rtl::thread_view(WEFT_THREAD(psum, state_q), WEFT_THREAD(psum, pc_q), WEFT_THREAD(psum, here_q),
                            pe.weft_pe__DOT__i_psum_seq__DOT__state_q, pe.psum_issue_o);
  if constexpr (requires { pe.weft_pe__DOT__gen_tally__DOT__main_stall; }) {
    v.main.stall = pe.weft_pe__DOT__gen_tally__DOT__main_stall;
    v.psum.stall = pe.weft_pe__DOT__gen_tally__DOT__psum_stall;
  }
  const unsigned handoff = pe.weft_pe__DOT__i_handoff__DOT__state_q;  // handoff_t of rtl/pe/weft_pe_pkg.sv
  v.mp = handoff >> 9 & 3;
  v.pm = handoff >> 7 & 3;
  if (pe.main_issue_o | pe.psum_issue_o) rtl::read_beat(v, pe.weft_pe__DOT__beat, pe.weft_pe__DOT__addr);
  // Operand a is absent in a psum beat that takes no word of a stream.
  v.operands = WEFT_UNIT(take1);
  v.only_c = v.operands && WEFT_UNIT(psum1_q) && WEFT_UNIT(lanes1_q) >> rtl::kSelectC == rtl::kCReg;
  v.words = v.operands && (WEFT_UNIT(lanes1_q) >> rtl::kUseX & 1);
  if (v.words)
    for (int w = 0; w < 2; ++w)
      v.x[static_cast<std::size_t>(w)] = static_cast<std::uint32_t>(
          sram_element(WEFT_UNIT(words1_q), 2 * w) | std::uint32_t{sram_element(WEFT_UNIT(words1_q), 2 * w + 1)} << 16);
  if (v.operands) {
    for (std::size_t l = 0; l < Lanes; ++l) {
      v.a[l] = static_cast<std::uint16_t>(WEFT_UNIT(i_lanes__DOT__a1)[l]);
      v.b[l] = static_cast<std::uint16_t>(WEFT_UNIT(i_lanes__DOT__b1)[l]);
    }
  }
  for (unsigned pair = 0; pair < Lanes / 2; ++pair)
    if (WEFT_UNIT(r_we) >> pair & 1) v.r_lanes |= 3u << 2 * pair;
  if (v.r_lanes) {
    const unsigned now = WEFT_UNIT(i_writeback__DOT__now_q);
    v.r_entry = static_cast<std::uint8_t>(WEFT_UNIT(i_writeback__DOT__ring_q)[now] >> rtl::kEndBits);
    for (std::size_t l = 0; l < Lanes; ++l) v.r_value[l] = WEFT_UNIT(i_lanes__DOT__r_wdata)[l];
  }
  // The built form of the SRAM keeps only the write enables of its halves: its view shows no writes.
  if constexpr (requires { WEFT_UNIT(m_we); }) v.m_lanes = WEFT_UNIT(m_we);
  if (v.m_lanes) {
    v.m_element = static_cast<std::uint16_t>(WEFT_UNIT(m_waddr) * Lanes);
    for (std::size_t l = 0; l < Lanes; ++l) v.m_value[l] = sram_element(WEFT_UNIT(m_wdata), static_cast<int>(l));
  }
  v.flags = static_cast<std::uint8_t>(pe.flags_o);
  return v;
}

#undef WEFT_THREAD
#undef WEFT_UNIT

}  // namespace weft::sim
