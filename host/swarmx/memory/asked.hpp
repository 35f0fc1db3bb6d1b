/// Answers that come in pieces, to who has asked ranks of MemoryX: frames of ops, pieces of the state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "host/swarmx/frame.hpp"

namespace weft {

/// A question has a number, which is its frames' `round`. Of a question that nobody asks any more, what comes is
/// dropped.
class Asked {
 public:
  /// Pieces that one who is asked may have sent and that nobody has taken: so many it is asked for at first, and for
  /// one more with each that is taken.
  static constexpr std::uint32_t kPieces = 8;

  /// So many have been asked.
  void begin(std::uint32_t question, std::size_t ranks = 1);
  /// Nobody waits for any answer.
  void forget() { questions_.clear(); }

  /// What came from a rank; an empty frame was its last. Throws CorruptFrame if it is more than was asked for, or comes
  /// behind its last.
  void take(std::size_t rank, Frame frame);

  /// Whether next() has something to say.
  bool ready(std::uint32_t question) const;
  struct Piece {
    std::size_t rank = 0;
    Frame frame;
  };
  /// The next piece, when one is ready. Nothing: all have come, and the question is over.
  std::optional<Piece> next(std::uint32_t question);

 private:
  struct Question {
    std::uint32_t number = 0;
    std::size_t ranks = 0;                // that were asked
    std::size_t most = 0;                 // pieces
    std::vector<std::size_t> ended = {};  // ranks
    std::deque<Piece> pieces = {};
  };
  static bool over(const Question& question) { return question.ended.size() == question.ranks; }
  std::deque<Question> questions_;
};

}  // namespace weft
