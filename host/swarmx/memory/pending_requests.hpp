/// Pending requests to ranks of MemoryX, whose answers arrive in pieces: frames of ops, pieces of the state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "host/swarmx/protocol/frame.hpp"

namespace weft {

/// A request (`question`) has a number, which is the `round` of its frames. Answers to requests that were forgotten are
/// dropped.
class Asked {
 public:
  /// Pieces that a rank may have sent and that have not been taken: the number of pieces requested at first; each piece
  /// that is taken allows one more.
  static constexpr std::uint32_t kPieces = 8;

  /// Registers a request that was sent to `ranks` ranks.
  void begin(std::uint32_t question, std::size_t ranks = 1);
  /// Forgets all requests.
  void forget() { questions_.clear(); }

  /// Takes a frame from a rank; an empty one is its last. Throws CorruptFrame if a rank sends more than was requested,
  /// or anything after its last frame.
  void take(std::size_t rank, Frame frame);

  /// True if next() has a result.
  bool ready(std::uint32_t question) const;
  struct Piece {
    std::size_t rank = 0;
    Frame frame;
  };
  /// Returns the next piece, once ready(). Nothing: all have been taken, and the request is over.
  std::optional<Piece> next(std::uint32_t question);

 private:
  struct Question {
    std::uint32_t number = 0;
    std::size_t ranks = 0;                // that were asked
    std::size_t most = 0;                 // pieces that may wait
    std::vector<std::size_t> ended = {};  // ranks that have sent their last frame
    std::deque<Piece> pieces = {};
  };
  static bool over(const Question& question) { return question.ended.size() == question.ranks; }
  std::deque<Question> questions_;
};

}  // namespace weft
