#include "tests/swarmx/simulated/schedules.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <tuple>

namespace weft::simulated {

const Ending& undisturbed(const Shape& shape) {
  static std::map<std::tuple<int, int, std::uint32_t, std::uint64_t>, Ending> all;
  const auto [at, fresh] = all.try_emplace({shape.wafers, shape.nodes, shape.micro_batches, shape.steps});
  if (fresh) at->second = run(1, shape, 0, milliseconds(0));
  return at->second;
}

Tally schedules(std::uint64_t first, int count, const Without& without, bool loud) {
  Tally tally;
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(count); ++seed) {
    const Shape shape = shape_of(seed);
    const Ending& whole = undisturbed(shape);
    const Ending ending = run(seed, shape, 1 + static_cast<int>(seed % 6), whole.took, without);
    ++tally.schedules;
    tally.faults += ending.faults;
    tally.repeated += ending.repeated;
    tally.hang += ending.hash ? 0 : 1;
    tally.wrong += ending.hash && ending.hash != whole.hash ? 1 : 0;
    if (loud) {
      EXPECT_EQ(ending.hash, whole.hash) << "seed " << seed << (ending.hash ? "" : ", it hangs");
    }
  }
  std::printf("%d schedules, %d faults, %d other bits, %d hang, %llu micro-batches done again\n", tally.schedules,
              tally.faults, tally.wrong, tally.hang, static_cast<unsigned long long>(tally.repeated));
  return tally;
}

}  // namespace weft::simulated
