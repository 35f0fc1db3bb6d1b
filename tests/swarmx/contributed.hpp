/// A frame's contribution as vectors that can be compared and changed.
#pragma once

#include <cstdint>
#include <vector>

#include "host/swarmx/protocol/contribution.hpp"

namespace weft::swarmx {

struct Contributed {
  std::vector<std::uint32_t> micro_batches;
  std::vector<std::int64_t> values;
};

inline Contributed contributed(const Frame& frame) {
  const Contribution found = decode_contribution(frame);
  std::vector<std::int64_t> room;
  const auto values = found.fixed(room);
  return {found.micro_batches, {values.begin(), values.end()}};
}

}  // namespace weft::swarmx
