#include "sw/compiler/stream/group_size.hpp"

#include <algorithm>
#include <limits>

#include "sw/machine/gather.hpp"

namespace weft::compiler {
namespace {

/// Cycles of a group: for each entry of dy one beat per index, but at least the time until a slot's next beat.
long cycles(int indices, int beats) {
  constexpr int kSlot = 7, kBetweenGroups = 6;
  return long{beats} * std::max(indices, kSlot) + kBetweenGroups;
}

/// Cycles of all outputs, in groups of `full` indices.
long cycles(const IndexCounts& outputs, int full, int beats) {
  long all = 0;
  for (const auto& [indices, times] : outputs) {
    const int rest = indices % full;
    all += times * (indices / full * cycles(full, beats) + (rest ? cycles(rest, beats) : 0));
  }
  return all;
}

}  // namespace

int group_size(const IndexCounts& outputs, int beats) {
  int best = machine::kGroupMost;
  long fewest = std::numeric_limits<long>::max();
  for (int full = machine::kGroupMost; full > 0; --full) {
    const long all = cycles(outputs, full, beats);
    if (all <= fewest) fewest = all, best = full;
  }
  return best;
}

long gradient_beats(const IndexCounts& outputs, int beats) {
  long vectors = 0;
  for (const auto& [indices, times] : outputs) vectors += times;
  return vectors * beats + cycles(outputs, group_size(outputs, beats), beats);
}

}  // namespace weft::compiler
