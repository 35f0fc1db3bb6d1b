/// The state of MemoryX on separate ranks, as read and written by checkpoints, equals that of one process.
#include <cstring>

#include "tests/swarmx/memory/parted.hpp"

namespace weft::swarmx {
namespace {

struct PartedState : Parted {
  using Vectors = std::vector<std::vector<float>>;
  Vectors room() const { return Vectors(3, std::vector<float>(plan.parameters, -1)); }
  /// Stores chunks at their positions, and counts all elements, so that duplicates show.
  memoryx::MemoryX::Take into(Vectors& all) {
    return [&](int vector, std::uint64_t first, std::span<const float> values) {
      const std::lock_guard lock(mutex);
      taken += values.size();
      std::ranges::copy(values, all[static_cast<std::size_t>(vector)].begin() + static_cast<std::ptrdiff_t>(first));
    };
  }
  static bool same(const Vectors& a, const Vectors& b) {
    for (std::size_t k = 0; k < a.size(); ++k)
      if (std::memcmp(a[k].data(), b[k].data(), a[k].size() * sizeof(float)) != 0) return false;
    return true;
  }
  std::mutex mutex;
  std::size_t taken = 0;
};

TEST_F(PartedState, IsTakenOnceDuringTheStepsThatFollow) {
  memoryx::MemoryX alone(plan, memoryx);
  Swarm local(plan, fake_swarm(plan, 1, 2, 2, 0));
  train(local, alone, 0, 2);
  Vectors one = room(), parted = room();
  alone.snapshot(into(one), [] {})->wait();
  start(3);
  memory->start();
  train(*swarm, *memory, 0, 2);
  taken = 0;
  bool ended = false;
  const auto snapshot = memory->snapshot(into(parted), [&] { ended = true; });
  const Results beside = train(*swarm, *memory, 2, 1);
  snapshot->wait();
  EXPECT_TRUE(ended);
  EXPECT_EQ(taken, 3 * plan.parameters);
  EXPECT_TRUE(same(parted, one));
  EXPECT_EQ(beside, train(local, alone, 2, 1));
}

TEST_F(PartedState, LoadedStateIsContinued) {
  const Results whole = expected(4);
  memoryx::MemoryX alone(plan, memoryx);
  Swarm local(plan, fake_swarm(plan, 1, 2, 2, 0));
  train(local, alone, 0, 2);
  Vectors saved = room();
  alone.snapshot(into(saved), [] {})->wait();
  const MemoryXClient::Read read = [&](int vector, std::uint64_t first, std::span<float> to) {
    std::ranges::copy(std::span(saved[static_cast<std::size_t>(vector)]).subspan(first, to.size()), to.begin());
  };
  for (const int ranks : {1, 2, 3}) {
    start(ranks);
    memory->load(read);
    EXPECT_EQ(memory->hash(), whole.hashes[1]);
    EXPECT_EQ(train(*swarm, *memory, 2, 2).hashes, (std::vector{whole.hashes[2], whole.hashes[3]})) << ranks;
    memory->load(read);  // as in a run that steps back
    EXPECT_EQ(memory->hash(), whole.hashes[1]);
    EXPECT_EQ(train(*swarm, *memory, 2, 1).hashes[0], whole.hashes[2]) << ranks;
    swarm.reset();
    memory.reset();
  }
}

TEST_F(PartedState, MaskedWeightsAreZeroOnEachRank) {
  for (const char* name : {"t0", "t2", "t4"}) {
    std::vector<bool>& kept = plan.mask[name];
    const auto tensor = std::ranges::find(plan.tensors, name, &compiler::TensorInfo::name);
    for (std::uint64_t k = 0; k < tensor->size; ++k) kept.push_back(k % 3 != 0);
  }
  memoryx::MemoryX alone(plan, memoryx);
  start(2);
  memory->start();
  EXPECT_EQ(memory->hash(), alone.hash());
}

TEST_F(PartedState, ACheckpointThatCannotBeWrittenStopsNoRank) {
  start(2);
  memory->start();
  train(*swarm, *memory, 0, 1);
  const auto full = [](int, std::uint64_t, std::span<const float>) { throw std::runtime_error("the disk is full"); };
  const auto snapshot = memory->snapshot(full, [] { ADD_FAILURE() << "it has ended well"; });
  const Results beside = train(*swarm, *memory, 1, 1);
  EXPECT_THROW(snapshot->wait(), std::runtime_error);
  EXPECT_EQ(beside.hashes[0], expected(2).hashes[1]);
  Vectors all = room();
  taken = 0;
  memory->snapshot(into(all), [] {})->wait();
  EXPECT_EQ(taken, 3 * plan.parameters);
}

}  // namespace
}  // namespace weft::swarmx
