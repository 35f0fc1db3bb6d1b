/// The members of all that a core dump holds, one list for writing and reading. Whoever adds a member to one of these
/// types adds it here; tests/hang/core_test.cpp misses one that is forgotten.
#pragma once

#include "sw/asm/assembler.hpp"
#include "sw/compiler/symbols.hpp"
#include "sw/machine/standstill.hpp"

namespace weft::hang {

template <class A>
void fields(A& a, WaferShape& x) {
  auto& [rows, cols, lanes, sram_kib, valves, colors, psum_cycles, sequence_columns] = x;
  a(rows, cols, lanes, sram_kib, valves, colors, psum_cycles, sequence_columns);
}
template <class A>
void fields(A& a, Message& x) {
  auto& [data, ctrl] = x;
  a(data, ctrl);
}
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
template <class A>
void fields(A& a, Parameter& x) {
  auto& [name, reg] = x;
  a(name, reg);
}
template <class A>
void fields(A& a, Kernel& x) {
  auto& [name, address, parameters, doc, file, line] = x;
  a(name, address, parameters, doc, file, line);
}
template <class A>
void fields(A& a, SourceLine& x) {
  auto& [file, line] = x;
  a(file, line);
}
template <class A>
void fields(A& a, ArraySymbol& x) {
  auto& [name, address, slots, width] = x;
  a(name, address, slots, width);
}
template <class A>
void fields(A& a, Program& x) {
  auto& [words, labels, files, lines, kernels] = x;
  a(words, labels, files, lines, kernels);
}

}  // namespace weft::hang
