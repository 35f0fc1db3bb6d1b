/// Sources to plain lines: comments are gone, macros are written out.
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
  Place place;              ///< of the call
  const MacroCall* within;  ///< null: it stands in a source
};

struct Line {
  Place place;                      ///< where its text stands, of a macro's line in the macro
  std::string_view text;            ///< without comment; may be labels only
  std::string_view comment;         ///< the whole lines of comment right above, with their marks
  const MacroCall* call = nullptr;  ///< null: it stands in a source
};

/// The source whose names a line sees: that of the outermost call.
const Source* source_of(const Line& line);

/// An error in `line`, with all calls that lead there.
AssemblyError error_in(const Line& line, const std::string& what, const std::string& hint);

/// Every line that is not empty. Lines view the sources and `texts`.
struct Expansion {
  std::vector<Line> lines;
  std::vector<std::string> macros;  ///< their names
  std::deque<std::string> texts;
  std::deque<MacroCall> calls;
};

/// Macros may be called before they are defined, and from another source. Throws AssemblyError.
Expansion expand(std::span<const Source> sources);

}  // namespace weft::assembler
