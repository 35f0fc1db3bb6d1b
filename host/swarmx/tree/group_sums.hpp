/// Sums of what the groups of a wafer's rows contribute (docs/explanation/row_groups.md).
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "host/swarmx/protocol/frame.hpp"

namespace weft::swarmx {

/// Adds the contributions of all groups to a bucket of one micro-batch. Gradients are added as fixed-point numbers, so
/// that the sum does not depend on the order.
class GroupSums {
 public:
  explicit GroupSums(int groups) : groups_(groups) {}

  /// Adds a group's contribution, and appends the bucket's sum to `out` if the other groups have contributed to it.
  void add(const Frame& frame, std::vector<Frame>& out);
  /// True if no bucket misses a contribution.
  bool complete() const { return sums_.empty(); }

 private:
  struct Sum {
    std::vector<std::int64_t> values;
    int missing;
  };

  const int groups_;
  std::map<std::tuple<FrameType, std::uint32_t, std::uint32_t>, Sum> sums_;  // by type, op and part
};

}  // namespace weft::swarmx
