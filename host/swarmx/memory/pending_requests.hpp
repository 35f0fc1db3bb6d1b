/// Pending requests to ranks of MemoryX, whose answers arrive in parts: frames of ops, chunks of the state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "host/swarmx/protocol/frame.hpp"

namespace weft::swarmx {

/// A request has a number, which is the `pass` of its frames. Answers to requests that were forgotten are
/// dropped.
class PendingRequests {
 public:
  /// Answers that a rank may have sent and that have not been taken: the number of answers requested at first; each
  /// answer that is taken allows one more.
  static constexpr std::uint32_t kAnswers = 8;

  /// Registers a request that was sent to `ranks` ranks.
  void add(std::uint32_t request, std::size_t ranks = 1);
  /// Forgets all requests.
  void forget() { requests_.clear(); }

  /// Takes a frame from a rank; an empty one is its last. Throws CorruptFrame if a rank sends more than was requested,
  /// or anything after its last frame.
  void receive(std::size_t rank, Frame frame);

  /// True if next() has a result.
  bool ready(std::uint32_t request) const;
  struct Answer {
    std::size_t rank = 0;
    Frame frame;
  };
  /// Returns the next answer, once ready(). Nothing: all have been taken, and the request is over.
  std::optional<Answer> next(std::uint32_t request);

 private:
  struct Request {
    std::uint32_t number = 0;
    std::size_t ranks = 0;                // that were asked
    std::size_t most = 0;                 // answers that may wait
    std::vector<std::size_t> ended = {};  // ranks that have sent their last frame
    std::deque<Answer> answers = {};
  };
  static bool all_ended(const Request& request) { return request.ended.size() == request.ranks; }
  std::deque<Request> requests_;
};

}  // namespace weft::swarmx
