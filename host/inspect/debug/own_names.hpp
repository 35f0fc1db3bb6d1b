/// Names that a program of one's own declares, in expressions of the debugger.
#pragma once

#include <optional>
#include <string>

#include "host/inspect/debug/target.hpp"

namespace weft::inspect::debug {

/// Elements of a declared array.
struct OwnSpan {
  const assembler::Array* array = nullptr;
  unsigned first = 0, count = 1;  ///< elements of the array
};

/// The elements that `u`, `u[3]` (one) or `u[0:8]` (0 to 7) names. Nothing if no array of the program is called so.
/// Throws Refusal for elements beyond the end.
std::optional<OwnSpan> find_own(const Names& names, const std::string& text);

/// Rejects `text` as no valid expression. Throws Refusal.
[[noreturn]] void unknown_own(const std::string& text);

/// "u[0:2] = M[0x10:2] 0.5 1", "s[0:2] = R[3] 1 2": elements with their place.
std::string print_own(const OwnSpan& span, const machine::TileState& state, int lanes, const std::string& text,
                      bool hex);

/// The value of a parameter of the running kernel; nothing if it has none of this name.
std::optional<std::string> print_parameter(const Target& target, sim::TilePlace tile, const std::string& name);

/// A line for each array and each stream of the program.
std::string own_symbols(const OwnNames& own);

}  // namespace weft::inspect::debug
