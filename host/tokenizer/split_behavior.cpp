#include "host/tokenizer/split_behavior.hpp"

namespace weft::tokenizer {
namespace {

/// True if no word ends between two adjacent pieces.
bool are_joined(const Piece& piece, const Piece& next, SplitBehavior behavior) {
  switch (behavior) {
    case SplitBehavior::MergedWithPrevious:
      return next.is_match && !piece.is_match;
    case SplitBehavior::MergedWithNext:
      return piece.is_match && !next.is_match;
    case SplitBehavior::Contiguous:
      return piece.is_match == next.is_match;
    case SplitBehavior::Isolated:
    case SplitBehavior::Removed:
      break;
  }
  return false;
}

}  // namespace

void append_words(std::span<const Piece> pieces, SplitBehavior behavior, std::vector<std::uint32_t>& ends) {
  std::uint32_t begin = 0;
  for (std::size_t n = 0; n < pieces.size(); ++n) {
    if (pieces[n].end == begin) continue;
    if (n + 1 < pieces.size() && are_joined(pieces[n], pieces[n + 1], behavior)) continue;
    const bool is_removed = behavior == SplitBehavior::Removed && pieces[n].is_match;
    ends.push_back(pieces[n].end | (is_removed ? Splitter::kRemoved : 0));
    begin = pieces[n].end;
  }
}

}  // namespace weft::tokenizer
