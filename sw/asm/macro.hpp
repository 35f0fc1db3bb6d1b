/// Macros: text with holes for arguments.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sw/asm/cursor.hpp"
#include "sw/asm/place.hpp"

namespace weft::assembler {

/// A macro, defined from `.macro NAME a b` to `.endm`. Views the sources. All functions throw Complaint.
class Macro {
 public:
  /// A line of the body, split where a call inserts text.
  struct BodyLine {
    struct Piece {
      std::string_view text;  ///< copied unchanged
      int hole;               ///< inserted after `text`: the argument of this number, or one of the constants below
    };
    static constexpr int kNothing = -1, kCall = -2;  ///< for `\()` and the end of a line; for `\@`, the call's number
    Place place;
    std::vector<Piece> pieces;
  };

  /// Reads the parameters, to the end of the line.
  Macro(Cursor& at, Place place);

  /// Appends a line to the body. Throws if the line names anything but parameters.
  void add(std::string_view text, Place place);

  /// Expands a line of the body for a call.
  static std::string expand(const BodyLine& line, std::span<const std::string_view> arguments, std::size_t call);

  /// Splits the arguments of a call at commas. Throws unless there are as many as parameters.
  std::vector<std::string_view> arguments(std::string_view text) const;

  const Place place;
  const std::vector<BodyLine>& body() const { return body_; }

 private:
  int hole(std::string_view name) const;

  std::map<std::string_view, int> parameters_;
  std::vector<BodyLine> body_;
};

}  // namespace weft::assembler
