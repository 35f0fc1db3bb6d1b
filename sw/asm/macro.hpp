/// One macro: text with holes.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sw/asm/cursor.hpp"
#include "sw/asm/place.hpp"

namespace weft::assembler {

/// What `.macro NAME a b` begins and `.endm` ends. Views the sources. Everything throws Complaint.
class Macro {
 public:
  /// A line of the body, cut where a call puts something in.
  struct BodyLine {
    struct Piece {
      std::string_view text;  ///< as it is, then
      int hole;               ///< the argument of this number, or one of these:
    };
    static constexpr int kNothing = -1, kCall = -2;  ///< `\()` and the end; `\@`, the number of the call
    Place place;
    std::vector<Piece> pieces;
  };

  /// Reads the parameters, to the end of the line.
  Macro(Cursor& at, Place place);

  /// Another line of the body: it names parameters only.
  void add(std::string_view text, Place place);

  /// A line of the body as a call has it.
  static std::string expand(const BodyLine& line, std::span<const std::string_view> arguments, std::size_t call);

  /// The arguments of a call: as many as there are parameters, with commas between them.
  std::vector<std::string_view> arguments(std::string_view text) const;

  const Place place;
  const std::vector<BodyLine>& body() const { return body_; }

 private:
  int hole(std::string_view name) const;

  std::map<std::string_view, int> parameters_;
  std::vector<BodyLine> body_;
};

}  // namespace weft::assembler
