#include "sw/compiler/group_size.hpp"

#include <algorithm>
#include <limits>

#include "sw/machine/gather.hpp"

namespace weft {
namespace {

/// Of a group: for each entry of dy a beat for each index, or as long as a slot's next beat must wait.
long cycles(int indices, int beats) {
  constexpr int kSlot = 7, kBetweenGroups = 6;
  return long{beats} * std::max(indices, kSlot) + kBetweenGroups;
}

}  // namespace

int group_size(const IndexCounts& outputs, int beats) {
  int best = kGroupMost;
  long fewest = std::numeric_limits<long>::max();
  for (int full = kGroupMost; full > 0; --full) {
    long all = 0;
    for (const auto& [indices, times] : outputs) {
      const int rest = indices % full;
      all += times * (indices / full * cycles(full, beats) + (rest ? cycles(rest, beats) : 0));
    }
    if (all <= fewest) fewest = all, best = full;
  }
  return best;
}

}  // namespace weft
