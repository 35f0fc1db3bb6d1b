/// State of a Verilated tile in a hang beyond its TileState: queues, credits, sequencers. Only this file and
/// tile_state.hpp know the names of registers.
#pragma once

#include <cstdint>
#include <vector>

#include "sw/machine/hang.hpp"
#include "verif/sim/debug_state.hpp"
#include "verif/sim/port_bits.hpp"

namespace weft::sim {

/// Messages that the Verilated links buffer for each color.
#ifdef WEFT_DEPTH  // a CMake option, for tests
inline constexpr unsigned kBuiltDepth = WEFT_DEPTH;
#else
inline constexpr unsigned kBuiltDepth = isa::kDepth;
#endif

namespace rtl {

/// Number `index` of `count` bit-sliced numbers of `bits` bits (rtl/fabric/weft_link_buffers.sv, weft_link_credits.sv).
template <class Vector>
unsigned sliced(const Vector& vector, unsigned bits, unsigned count, unsigned index) {
  unsigned number = 0;
  for (unsigned b = 0; b < bits; ++b) number |= bits_at<1>(vector, b * count + index) << b;
  return number;
}

constexpr unsigned bits_for(unsigned values) {
  unsigned bits = 0;
  while ((1u << bits) < values) ++bits;
  return bits;
}

/// Number of messages in queue `index` of `count` queues.
template <class Pointers, class Set>
std::uint32_t in_queue(const Pointers& write, const Pointers& read, const Set& nonempty, unsigned count,
                       unsigned index) {
  constexpr unsigned kBits = bits_for(kBuiltDepth);
  const unsigned n = (sliced(write, kBits, count, index) - sliced(read, kBits, count, index)) & (kBuiltDepth - 1);
  return n == 0 && bits_at<1>(nonempty, index) ? kBuiltDepth : n;
}

/// The first messages of a queue of color W with `n` messages, the first of which is in place `at` of its RAM.
template <class Ram>
std::vector<machine::Message> fronts(const Ram& ram, unsigned at, std::uint32_t n) {
  std::vector<machine::Message> messages;
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint64_t entry = ram[(at + i) % kBuiltDepth];
    messages.push_back({static_cast<std::uint32_t>(entry), (entry >> 32 & 1) != 0});
  }
  return messages;
}

template <unsigned Colors, class Counts>
machine::Credits credits_of(const Counts& counts, unsigned pairs, unsigned first) {
  machine::Credits credits;
  for (unsigned color = 0; color < Colors; ++color)
    credits.push_back(static_cast<std::uint8_t>(sliced(counts, bits_for(kBuiltDepth + 1), pairs, first + color)));
  return credits;
}

}  // namespace rtl

/// Reads everything except `state`. What an awake tile lacks cannot be determined.
template <unsigned Colors, class PeRoot, class RouterRoot>
machine::TileHang tile_hang_state(const PeRoot& pe, const RouterRoot& router) {
  machine::TileHang s;
  s.awake = pe.awake_o != 0;
  const unsigned main_state = pe.weft_pe__DOT__i_main_seq__DOT__state_q;  // main_state_e of rtl/pe/weft_pe_seq_pkg.sv
  constexpr unsigned kVaxsWait = 1, kVdotWait = 2;
  s.main.busy = main_state != 0;
  if (s.main.busy) s.main.pc = static_cast<std::uint16_t>(pe.weft_pe__DOT__i_report__DOT__main_seq_pc_q);
  s.main.lacks_w =
      (main_state == kVaxsWait && !pe.weft_pe__DOT__i_main_seq__DOT__i_weights__DOT__valid_q) ||
      (main_state == kVdotWait && pe.weft_pe__DOT__i_main_seq__DOT__i_groups__DOT__i_gather__DOT__closed_q == 0);
  s.psum.busy = pe.weft_pe__DOT__i_psum_seq__DOT__state_q != 0;
  if (s.psum.busy) s.psum.pc = static_cast<std::uint16_t>(pe.weft_pe__DOT__i_report__DOT__psum_seq_pc_q);
  if (!s.awake) {
    const DebugState debug(pe.dbg_o);
    s.psum.lacks_words = s.psum.busy && debug.psum_need > 0 && !debug.psum_front;
    s.psum.lacks_room = debug.psum_beat && debug.out_full;
  }

#define WEFT_RAMP(name) pe.weft_pe__DOT__i_inbox__DOT__i_buffer__DOT__i_buffers__DOT__##name
  for (unsigned color = 0; color < Colors; ++color)
    s.ramp.push_back(rtl::in_queue(WEFT_RAMP(wptr_q), WEFT_RAMP(rptr_q), WEFT_RAMP(nonempty_q), Colors, color));
  s.w = rtl::fronts(WEFT_RAMP(gen_link__BRA__0__KET____DOT__ram_q),
                    rtl::sliced(WEFT_RAMP(rptr_q), rtl::bits_for(kBuiltDepth), Colors, 0), s.ramp[0]);
#undef WEFT_RAMP
  constexpr unsigned kOutSize = 16;
#define WEFT_OUT(name) pe.weft_pe__DOT__gen_outbox__DOT__i_outbox__DOT__##name
#define WEFT_OUTS(name) pe.weft_pe__DOT__gen_outboxes__DOT__i_outboxes__DOT__##name
  if constexpr (requires { WEFT_OUTS(rptr_q); }) {  // a general tile
    constexpr unsigned kPointer = 4;
    static_assert(Colors * kPointer <= 64 && kOutSize == 1 << kPointer);
    for (unsigned color = 0; color < Colors; ++color) {
      const auto pointer = [&](std::uint64_t all) { return static_cast<unsigned>(all >> color * kPointer); };
      const unsigned entries = (pointer(WEFT_OUTS(wptr_q)) - pointer(WEFT_OUTS(rptr_q))) % kOutSize;
      s.out.insert(s.out.end(), entries, static_cast<std::uint8_t>(color));
    }
    s.out_credits = rtl::credits_of<Colors>(WEFT_OUTS(i_credits__DOT__count_q), Colors, 0);
  } else {
    for (unsigned i = WEFT_OUT(rptr_q); i != WEFT_OUT(wptr_q); i = (i + 1) % kOutSize)
      s.out.push_back(static_cast<std::uint8_t>(WEFT_OUT(what_q)[i] & 31));
    s.out_credits = rtl::credits_of<Colors>(WEFT_OUT(i_credits__DOT__count_q), Colors, 0);
  }
#undef WEFT_OUTS
#undef WEFT_OUT

  constexpr unsigned kQueues = 5 * Colors;
  for (unsigned port = 0; port < 5; ++port) {
    for (unsigned color = 0; color < Colors; ++color)
      s.buffers[port].push_back(rtl::in_queue(
          router.weft_router__DOT__i_buffers__DOT__wptr_q, router.weft_router__DOT__i_buffers__DOT__rptr_q,
          router.weft_router__DOT__i_buffers__DOT__nonempty_q, kQueues, port * Colors + color));
    s.credits[port] = rtl::credits_of<Colors>(router.weft_router__DOT__i_credits__DOT__count_q, kQueues, port * Colors);
    // Credits at the router's input are not counted in the register yet.
    for (unsigned color = 0; color < Colors; ++color)
      s.credits[port][color] =
          static_cast<std::uint8_t>(s.credits[port][color] + bits_at<1>(router.credit_i, port * Colors + color));
  }
  return s;
}

}  // namespace weft::sim
