/// Adds up what the children of one node send, whatever the order it comes in.
///
/// Every child contributes exactly once to each (step, round, type, op, part) that any child contributes to, and its
/// Stats are the last of its round.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "host/swarmx/frame.hpp"

namespace weft {

class Reducer {
 public:
  explicit Reducer(std::vector<std::string> children);

  /// Takes a contribution; returns the sum once every child's is in. Throws CorruptFrame naming the child.
  std::optional<Frame> add(std::size_t child, const Frame& frame);

  /// The step and round that wait for child's contribution, for an error message; empty if none does.
  std::string waiting_for(std::size_t child) const;

 private:
  using Key = std::tuple<std::uint64_t, std::uint32_t, FrameType, std::uint32_t, std::uint32_t>;
  struct Pending {
    std::vector<bool> seen;  // [child]
    std::size_t missing = 0;
    std::vector<std::int64_t> sum;  // empty until somebody sends something
  };
  void merge(Pending& pending, const Frame& frame, const std::string& child) const;

  std::vector<std::string> children_;
  std::map<Key, Pending> pending_;
};

}  // namespace weft
