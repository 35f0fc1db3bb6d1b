/// MemoryX on ranks of its own (as threads of the test), under a swarm of wafers of no hardware.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "host/swarmx/memory/member.hpp"
#include "host/swarmx/memory/ranks.hpp"
#include "tests/compiler/listed_sweep.hpp"
#include "tests/says.hpp"
#include "tests/swarmx/fake.hpp"
#include "tests/swarmx/remote.hpp"

namespace weft {

/// Five tensors in five shards, which they share: two ops stream forward, one backward; gradients of all and of some.
inline Plan parted_plan() {
  Plan plan = fake_plan();
  plan.tensors.clear();
  plan.parameters = 0;
  for (const std::uint32_t size : {50000U, 100U, 120000U, 40000U, 90000U}) {
    const std::string name = "t" + std::to_string(plan.tensors.size());
    plan.tensors.push_back({name, {static_cast<int>(size)}, plan.parameters, size, size > 100, 0.02F, 0});
    plan.parameters += size;
  }
  const auto rows_of = [&](std::vector<int> tensors) {
    std::vector<std::vector<std::uint64_t>> rows(2);
    for (const int t : tensors) {
      const TensorInfo& tensor = plan.tensors[static_cast<std::size_t>(t)];
      for (std::uint64_t k = 0; k < tensor.size; ++k) rows[k % 2].push_back(tensor.offset + k);
    }
    return rows;
  };
  const std::vector<std::vector<int>> streamed = {{1, 2}, {0}, {4}, {3}, {}};
  for (std::size_t op = 0; op < streamed.size(); ++op) {
    plan.ops[op].tensors = streamed[op];
    if (plan.ops[op].returns != Returns::Gradient)
      plan.ops[op].sweep = listed_sweep(rows_of(streamed[op]), Sweep::Values::Weights);
  }
  // An op that returns gradients streams which they are: of whatever tensors.
  plan.ops[2].tensors.clear();
  plan.ops[3].tensors.clear();
  return_gradients(plan.ops[2], rows_of({0, 1, 2, 3, 4}));
  return_gradients(plan.ops[3], rows_of({2, 4}));
  plan.ops[4].tensors = {3, 4};
  plan.ops[4].sweep = listed_sweep(rows_of({3, 4}), Sweep::Values::Weights);
  return plan;
}

/// Four micro-batches on two wafers.
struct Parted : testing::Test {
  Parted() {
    let_join(options, 0);
    memoryx.optimizer.max_gradient_norm = 0.5;
    memoryx.optimizer.weight_decay = 0.1;
  }
  ~Parted() override {
    swarm.reset();
    memory.reset();
  }

  void start(int ranks) {
    memory = std::make_unique<MemoryRanks>(plan, MemoryRanksOptions{.ranks = ranks,
                                                                    .memoryx = memoryx,
                                                                    .credentials = test_credentials(),
                                                                    .job = options.job,
                                                                    .silence = options.silence,
                                                                    .timeout = options.timeout});
    options.memory = ranks;
    options.memory_port = memory->port();
    start_swarm();
    for (int id = 0; id < ranks; ++id) start_part(id);
  }
  /// With its wafers; those of the one before have ended or will.
  void start_swarm() {
    swarm.reset();
    swarm.emplace(plan, options);
    for (int id = 0; id < 2; ++id) wafers.push_back(start_member(there, member_of(*swarm, options, id)));
  }
  void start_part(int id) {
    MemoryMemberOptions part{.id = id,
                             .threads = 2,
                             .join = {.port = swarm->port(),
                                      .credentials = test_credentials(),
                                      .job = options.job,
                                      .silence = options.silence,
                                      .timeout = options.timeout,
                                      .leave = [this, id] { return leaves == id; }}};
    parts.push_back(guarded_thread(there, [part = std::move(part)] { run_memory_member(part); }));
  }

  struct Told {
    std::vector<std::uint64_t> hashes;
    std::vector<double> norms;
    bool operator==(const Told&) const = default;
  };
  /// Steps `first` and those that follow; what each has come to.
  template <class AnyMemory>
  static Told train(Swarm& swarm, AnyMemory& memory, std::uint64_t first, int steps) {
    Told told;
    for (std::uint64_t step = first; step < first + static_cast<std::uint64_t>(steps); ++step) {
      swarm.step(step, memory);
      const Settled settled = memory.settle();
      told.hashes.push_back(settled.hash);
      told.norms.push_back(settled.gradient_norm);
    }
    return told;
  }
  /// Of one process.
  Told expected(int steps) {
    MemoryX alone(plan, memoryx);
    Swarm local(plan, fake_swarm(plan, 1, 2, 4, 0));
    return train(local, alone, 0, steps);
  }
  Plan plan = parted_plan();
  SwarmOptions options = fake_swarm(plan, 2, 2, 4, 1);
  MemoryXOptions memoryx;
  std::unique_ptr<MemoryRanks> memory;
  std::optional<Swarm> swarm;
  FirstFailure there;
  std::atomic<int> leaves = -1;  // which rank of MemoryX
  std::vector<std::jthread> wafers, parts;
};

}  // namespace weft
