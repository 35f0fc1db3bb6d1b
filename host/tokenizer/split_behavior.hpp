/// Words of a text whose pieces are matches of a pattern, and the text between them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "host/tokenizer/splitter.hpp"

namespace weft::tokenizer {

/// A piece of a text; it begins where the piece before it ends.
struct Piece {
  std::uint32_t end;  ///< in bytes from the start of the text
  bool is_match;      ///< a match may be empty
};

/// Appends the ends of the words that `behavior` makes of the pieces, as Splitter::split does; there are no empty
/// words.
void append_words(std::span<const Piece> pieces, SplitBehavior behavior, std::vector<std::uint32_t>& ends);

}  // namespace weft::tokenizer
