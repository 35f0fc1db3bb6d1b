/// The members of a program, of its memory's symbols and of its wafer, one list for writing and reading
/// (sw/base/archive.hpp).
#pragma once

#include "sw/asm/program.hpp"
#include "sw/compiler/plan/symbols.hpp"
#include "sw/machine/message.hpp"
#include "sw/machine/shape.hpp"

namespace weft::machine {

template <class A>
void fields(A& a, WaferShape& x) {  // general: false in every plan and core dump
  auto& [rows, cols, lanes, sram_kib, valves, colors, general, turns, psum_cycles, sequence_columns, row_groups] = x;
  a(rows, cols, lanes, sram_kib, valves, colors, turns, psum_cycles, sequence_columns, row_groups);
}
template <class A>
void fields(A& a, Message& x) {
  auto& [data, ctrl] = x;
  a(data, ctrl);
}

}  // namespace weft::machine

namespace weft::assembler {

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
void fields(A& a, Program& x) {
  auto& [words, labels, files, lines, kernels] = x;
  a(words, labels, files, lines, kernels);
}

}  // namespace weft::assembler

namespace weft::compiler {

template <class A>
void fields(A& a, ArraySymbol& x) {
  auto& [name, address, slots, width] = x;
  a(name, address, slots, width);
}

}  // namespace weft::compiler
