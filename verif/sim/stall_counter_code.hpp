/// Decoding of the counters of rtl/pe/weft_pe_perf_built.sv.
#pragma once

#include <cstdint>

namespace weft::sim {

/// Number of steps that lead a counter of `bits` bits (9, 23 or 31) from 0 to `state`; 2^bits - 1 for all ones, which
/// no number of steps reaches. Walks through all of them, at nanoseconds each.
inline std::uint32_t stall_counter_steps(std::uint32_t state, int bits) {
  const int tap = bits == 9 ? 5 : bits == 23 ? 18 : 28;
  const std::uint32_t mask = (1u << bits) - 1;
  if (state == mask) return mask;
  std::uint32_t steps = 0;
  for (std::uint32_t s = 0; s != state; ++steps) s = (s << 1 | (~(s >> (bits - 1) ^ s >> (tap - 1)) & 1)) & mask;
  return steps;
}

}  // namespace weft::sim
