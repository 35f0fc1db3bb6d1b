/// Text output of the debugger for one tile.
#pragma once

#include <string>

#include "host/inspect/debug/target.hpp"

namespace weft::inspect::debug {

/// Kernel that main executes; null if main is at rest.
const assembler::Kernel* running_kernel(const Target& target, sim::TilePlace tile);

/// Range of SRAM elements that an expression names: `M[0x120]`, `M[0x120:8]` (8 elements), `x[3]` (slot 3 of the array
/// x, all its tokens), `x[3][0:8]` (tokens 0 to 7), `x[3][5]`. An array is a parameter of the running kernel or a named
/// array of the plan. In a program of one's own, an array that it declares (own_names.hpp). Throws Refusal.
struct Span {
  unsigned first = 0, count = 1;
};
Span find_span(const Target& target, sim::TilePlace tile, const std::string& text);

/// "RING", or "RING (east)" for a color with streams of a program of one's own.
std::string color_name(const Names& names, unsigned color);

/// Rejects `text` as no valid expression. Throws Refusal.
[[noreturn]] void unknown(const std::string& text);

/// Value of `r3`, `psum.r3`, `csr VL`, `R[8]`, or any expression of find_span, as bf16 (with `/x`: hexadecimal). Throws
/// Refusal.
std::string print(const Target& target, sim::TilePlace tile, const std::string& expression);

/// Positions of both threads, and what they do or wait for.
std::string where(const Target& target, sim::TilePlace tile);
/// Instructions around the position of main, or of psum.
std::string list(const Target& target, sim::TilePlace tile, bool psum);
/// `what`: "registers", "routes", "credits", "streams", "flags", "symbols" or "handoffs". Throws Refusal.
std::string info(const Target& target, sim::TilePlace tile, const std::string& what);

}  // namespace weft::inspect::debug
