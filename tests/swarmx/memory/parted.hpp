/// MemoryX on separate ranks (threads of the test), with a swarm of fake wafers.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "host/swarmx/memory/member.hpp"
#include "host/swarmx/memory/ranks.hpp"
#include "tests/says.hpp"
#include "tests/swarmx/fake.hpp"
#include "tests/swarmx/remote.hpp"

namespace weft::swarmx {

/// All of some tensors in one line: every other element of each tensor belongs to row 0, the rest to row 1.
inline compiler::StreamDescriptor whole_tensors(const compiler::Plan& plan, const std::vector<int>& tensors,
                                                compiler::StreamDescriptor::Values values) {
  compiler::StreamDescriptor descriptor;
  descriptor.values = values;
  descriptor.outputs = std::make_shared<const compiler::Space>(compiler::Space::on_rows({0}, 2));
  descriptor.lines.resize(1);
  for (const int t : tensors) {
    const compiler::TensorInfo& tensor = plan.tensors[static_cast<std::size_t>(t)];
    std::vector<int> rows_of;
    for (std::uint64_t k = 0; k < tensor.size; ++k) rows_of.push_back(static_cast<int>(k % 2));
    descriptor.lines[0].push_back(
        {.space = std::make_shared<const compiler::Space>(compiler::Space::on_rows(rows_of, 2)),
         .offset = tensor.offset,
         .in_stride = 1});
  }
  return descriptor;
}

/// Five tensors that share three shards: two ops stream forward, one backward; gradients of all and of some tensors.
inline compiler::Plan parted_plan() {
  compiler::Plan plan = fake_plan();
  plan.tensors.clear();
  plan.parameters = 0;
  for (const std::uint32_t size : {40000U, 100U, 60000U, 20000U, 50000U}) {
    const std::string name = "t" + std::to_string(plan.tensors.size());
    plan.tensors.push_back(
        {name, {static_cast<int>(size)}, plan.parameters, size, size > 100, 0.02F, 0, {network::Role::Hidden}});
    plan.parameters += size;
  }
  const auto streams = [&](std::size_t op, std::vector<int> tensors) {
    plan.ops[op].descriptor = whole_tensors(plan, tensors, compiler::StreamDescriptor::Values::Weights);
    plan.ops[op].tensors = std::move(tensors);
  };
  const auto returns = [&](std::size_t op, const std::vector<int>& tensors) {
    std::uint32_t words = 0;
    for (const int t : tensors) words += static_cast<std::uint32_t>(plan.tensors[static_cast<std::size_t>(t)].size / 2);
    plan.ops[op].descriptor = whole_tensors(plan, tensors, compiler::StreamDescriptor::Values::Indices);
    plan.ops[op].returned = {words, words};
  };
  streams(0, {1, 2});
  streams(1, {0});
  returns(2, {0, 1, 2, 3, 4});
  returns(3, {2, 4});
  streams(4, {3, 4});
  return plan;
}

/// Two micro-batches on two wafers.
struct Parted : testing::Test {
  Parted() {
    let_join(options, 0);
    options.timeout = std::chrono::seconds(60);
    memoryx.optimizer.max_gradient_norm = 0.5;
    memoryx.optimizer.weight_decay = 0.1;
  }
  ~Parted() override {
    swarm.reset();
    memory.reset();
    over = true;
  }

  /// Starts `ranks` ranks, of which only the first `present` connect; -1: all.
  void start(int ranks, int present = -1) {
    memory = std::make_unique<MemoryRanks>(plan, MemoryRanksOptions{.ranks = ranks,
                                                                    .memoryx = memoryx,
                                                                    .credentials = test_credentials(),
                                                                    .job = options.job,
                                                                    .silence = options.silence,
                                                                    .timeout = options.timeout,
                                                                    .on_leave_request = [this] { ++asked; }});
    options.memory = ranks;
    options.memory_port = memory->port();
    start_swarm();
    for (int id = 0; id < (present < 0 ? ranks : present); ++id) start_part(id);
  }
  /// Starts a swarm with its wafers; those of the previous swarm have ended or will end.
  void start_swarm() {
    swarm.reset();
    swarm.emplace(plan, options);
    for (int id = 0; id < 2; ++id) {
      MemberOptions wafer = member_of(*swarm, options, id);
      wafer.join.leave = [this] { return over.load(); };
      wafers.push_back(start_member(there, std::move(wafer)));
    }
  }
  void start_part(int id) {
    MemoryMemberOptions part{.id = id, .threads = 2, .join = join_of(*swarm, options)};
    part.join.leave = [this, id] { return over || leaves == id; };
    part.join.on_hang = [this](const std::string&) { ++stood; };
    parts.push_back(guarded_thread(there, [part = std::move(part)] { run_memory_member(part); }));
  }

  struct Results {
    std::vector<std::uint64_t> hashes;
    std::vector<double> norms;
    bool operator==(const Results&) const = default;
  };
  /// Runs `steps` steps from `first` on; returns each step's hash and gradient norm.
  template <class AnyMemory>
  static Results train(Swarm& swarm, AnyMemory& memory, std::uint64_t first, int steps) {
    Results results;
    for (std::uint64_t step = first; step < first + static_cast<std::uint64_t>(steps); ++step) {
      swarm.step(step, memory);
      const memoryx::UpdateResult settled = memory.finish_update();
      results.hashes.push_back(settled.hash);
      results.norms.push_back(settled.gradient_norm);
    }
    return results;
  }
  /// The result of a single process.
  Results expected(int steps) {
    memoryx::MemoryX alone(plan, memoryx);
    Swarm local(plan, fake_swarm(plan, 1, 2, 2, 0));
    return train(local, alone, 0, steps);
  }
  compiler::Plan plan = parted_plan();
  SwarmOptions options = fake_swarm(plan, 2, 2, 2, 1);
  memoryx::MemoryXOptions memoryx;
  std::unique_ptr<MemoryRanks> memory;
  std::optional<Swarm> swarm;
  FirstFailure there;
  std::atomic<int> leaves = -1;    // the rank of MemoryX that leaves
  std::atomic<int> asked = 0;      // number of requests to end the run
  std::atomic<int> stood = 0;      // number of hangs reported by ranks
  std::atomic<bool> over = false;  // true at the end of the test
  std::vector<std::jthread> wafers, parts;
};

}  // namespace weft::swarmx
