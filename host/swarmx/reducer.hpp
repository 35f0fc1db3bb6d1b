/// Adds up what the children of one node send, whatever the order it comes in.
///
/// Only what a round under way returns is taken, once from each child, and only of as many micro-batches as the child's
/// wafers have in it; its Stats are its last of the round. So a sum is of everything below or not there, and memory is
/// bounded by the rounds under way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "host/swarmx/frame.hpp"
#include "host/swarmx/payload.hpp"
#include "host/swarmx/round_returns.hpp"

namespace weft {

class Reducer {
 public:
  /// A child and its wafers.
  struct Child {
    std::string name;
    int first = 0;
    int count = 1;
  };
  Reducer(const Plan& plan, std::vector<Child> children);

  /// A Begin goes down: from now on the children may contribute to its round. Throws CorruptFrame.
  void begin(const Frame& frame);
  /// Takes a contribution; returns the sum once every child's is in. Throws CorruptFrame naming the child.
  std::optional<Frame> add(std::size_t child, const Frame& frame);

  /// Bytes that sums of gradients take: those that miss some child's part.
  std::size_t bytes() const;

  /// The step and round that wait for child's contribution, for an error message; empty if none does.
  std::string waiting_for(std::size_t child) const;

 private:
  struct Sum {
    std::vector<bool> seen;  // [child]
    std::size_t missing = 0;
    std::uint32_t contains = 0;
    std::vector<std::int64_t> values;  // empty until somebody sends something
  };
  struct UnderWay {
    Round round;
    std::vector<Sum> sums;           // [slot]
    std::vector<std::size_t> given;  // [child]: contributions so far
  };
  using Rounds = std::map<std::pair<std::uint64_t, std::uint32_t>, UnderWay>;  // by step and round
  const RoundReturns& returns(const Round& round) const { return round.train ? training_ : evaluation_; }
  Frame finish(const Frame& last, Sum& sum);

  std::vector<Child> children_;
  RoundReturns training_, evaluation_;
  Rounds rounds_;
};

}  // namespace weft
