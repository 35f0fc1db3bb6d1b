/// Expansion of sources to plain lines: removes comments and expands macros.
#pragma once

#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sw/asm/place.hpp"

namespace weft::assembler {

/// A call of a macro, for messages.
struct MacroCall {
  std::string_view macro;
  Place place;              ///< place of the call
  const MacroCall* within;  ///< the enclosing call; null if the call is in a source
};

struct Line {
  Place place;                      ///< place of its text; for a line of a macro, in the macro's definition
  std::string_view text;            ///< without comment; may be labels only
  std::string_view comment;         ///< the comment lines directly above, with their comment marks
  const MacroCall* call = nullptr;  ///< the call that produced it; null if the line is in a source
};

/// The source whose names are visible to a line: that of its outermost macro call.
const Source* source_of(const Line& line);

/// An error in `line`, with the chain of macro calls that produced the line.
AssemblyError error_in(const Line& line, const std::string& what, const std::string& hint);

/// The expanded sources: every line that is not empty. Lines view the sources and `texts`.
struct Expansion {
  std::vector<Line> lines;
  std::vector<std::string> macros;  ///< their names
  std::deque<std::string> texts;
  std::deque<MacroCall> calls;
};

/// Expands all sources. Macros may be called before they are defined, and from another source. Throws AssemblyError.
Expansion expand(std::span<const Source> sources);

}  // namespace weft::assembler
