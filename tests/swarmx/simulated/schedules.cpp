#include "tests/swarmx/simulated/schedules.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <tuple>

namespace weft::swarmx::simulated {

const Ending& undisturbed(const Shape& shape) {
  static std::map<std::tuple<int, int, int, bool, std::uint32_t, std::uint64_t, std::uint64_t>, Ending> all;
  const auto [at, fresh] = all.try_emplace(
      {shape.wafers, shape.nodes, shape.memory, shape.parted, shape.micro_batches, shape.steps, shape.save_steps});
  if (fresh) at->second = run(1, shape, 0, milliseconds(0));
  return at->second;
}

bool is_clear(const std::string& refusal) {
  return refusal.find("is lost with the updates of its tensors since the last checkpoint") != std::string::npos ||
         refusal.find("did not connect") != std::string::npos;
}

ScheduleCounts schedules(std::uint64_t first, int count, const Without& without, bool loud, bool ranked,
                         int ScheduleCounts::*until) {
  ScheduleCounts counts;
  for (std::uint64_t seed = first; counts.schedules < count && (!until || counts.*until == 0); ++seed) {
    const Shape shape = shape_of(seed);
    if (ranked && shape.memory == 0) continue;
    const Ending& whole = undisturbed(shape);
    const Ending ending = run(seed, shape, 1 + static_cast<int>(seed % 6), whole.took, without);
    const bool clear = std::ranges::all_of(ending.refusals, is_clear);
    ++counts.schedules;
    counts.ranked += shape.memory > 0 ? 1 : 0;
    counts.faults += ending.faults;
    counts.repeated += ending.repeated;
    counts.refusals += static_cast<int>(ending.refusals.size());
    counts.hang += ending.hash ? 0 : 1;
    counts.wrong += (ending.hash && ending.hash != whole.hash) || !clear ? 1 : 0;
    if (loud) {
      EXPECT_EQ(ending.hash, whole.hash) << "seed " << seed << (ending.hash ? "" : ", it hangs");
      EXPECT_TRUE(clear) << "seed " << seed << ": " << ending.refusals.back();
    }
  }
  std::printf(
      "%d schedules, %d with ranks of MemoryX, %d faults, %d other bits, %d hang, %llu micro-batches done again, %d "
      "roots that lost a rank of MemoryX\n",
      counts.schedules, counts.ranked, counts.faults, counts.wrong, counts.hang,
      static_cast<unsigned long long>(counts.repeated), counts.refusals);
  return counts;
}

}  // namespace weft::swarmx::simulated
