/// What a debugger prints of a tile.
#pragma once

#include <string>

#include "host/look/debug/target.hpp"

namespace weft::debug {

/// The kernel that main is in; null at rest.
const Kernel* running_kernel(const Target& target, TilePlace tile);

/// The element of SRAM that an expression names, and how many: `M[0x120]`, `M[0x120:8]` (8 elements), `x[3]` (slot 3 of
/// the array x, all its tokens), `x[3][0:8]` (tokens 0 to 7), `x[3][5]`. An array is a kernel's parameter while it
/// runs, or one of the plan's by name. Throws Refusal.
struct Span {
  unsigned first = 0, count = 1;
};
Span find_span(const Target& target, TilePlace tile, const std::string& text);

/// It is no expression. Throws Refusal.
[[noreturn]] void unknown(const std::string& text);

/// `r3`, `psum.r3`, `csr VL`, `R[8]`, or what find_span knows, as bf16 (`/x`: in hexadecimal). Throws Refusal.
std::string print(const Target& target, TilePlace tile, const std::string& expression);

/// Where both threads are, and what they do or wait for.
std::string where(const Target& target, TilePlace tile);
/// The instructions around main's, or psum's.
std::string list(const Target& target, TilePlace tile, bool psum);
/// "registers", "routes", "credits", "streams", "flags", "symbols", "handoffs". Throws Refusal.
std::string info(const Target& target, TilePlace tile, const std::string& what);

}  // namespace weft::debug
