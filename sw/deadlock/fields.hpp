/// The members of all types in a core dump, one list for writing and reading. A member added to one of these types must
/// be added here; tests/deadlock/core_test.cpp fails if it is forgotten.
#pragma once

#include "sw/compiler/plan/program_fields.hpp"
#include "sw/machine/hang.hpp"

namespace weft {

template <class A>
void fields(A& a, ThreadState& x) {
  auto& [runs, pc, registers, control] = x;
  a(runs, pc, registers, control);
}
template <class A>
void fields(A& a, HandoffState& x) {
  auto& [entries, put_turn, taken_turn, filled] = x;
  a(entries, put_turn, taken_turn, filled);
}
template <class A>
void fields(A& a, TileState& x) {
  auto& [memory, accumulators, instructions, main, psum, mp, pm, selected, instruction_address, low_half,
         memory_address, routes, flags, beats, fma_lanes] = x;
  a(memory, accumulators, instructions, main, psum, mp, pm, selected, instruction_address, low_half, memory_address,
    routes, flags, beats, fma_lanes);
}
template <class A>
void fields(A& a, SequencerState& x) {
  auto& [busy, pc, lacks_w, lacks_words, lacks_room] = x;
  a(busy, pc, lacks_w, lacks_words, lacks_room);
}
template <class A>
void fields(A& a, TileStandstill& x) {
  auto& [state, main, psum, awake, lacks_route, ramp, w, out, out_credits, buffers, credits] = x;
  a(state, main, psum, awake, lacks_route, ramp, w, out, out_credits, buffers, credits);
}
template <class A>
void fields(A& a, RowStandstill& x) {
  auto& [delivered, awaited, outlet, cell, front, served, cell_credits] = x;
  a(delivered, awaited, outlet, cell, front, served, cell_credits);
}
template <class A>
void fields(A& a, ValveStandstill& x) {
  auto& [taken, rest, next, credits] = x;
  a(taken, rest, next, credits);
}
template <class A>
void fields(A& a, StreamPlace& x) {
  auto& [wafer, step, micro_batch, phase] = x;
  a(wafer, step, micro_batch, phase);
}
template <class A>
void fields(A& a, Standstill& x) {
  auto& [shape, machine, why, depth, cycle, tiles, rows, valves, place] = x;
  a(shape, machine, why, depth, cycle, tiles, rows, valves, place);
}

}  // namespace weft
