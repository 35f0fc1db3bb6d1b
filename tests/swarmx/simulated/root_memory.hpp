/// The MemoryX of a simulated swarm's root. No call blocks: a call that would block returns false, and is
/// repeated after a frame arrives.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "host/memoryx/memoryx.hpp"
#include "host/swarmx/memory/local.hpp"
#include "host/swarmx/memory/ranks_state.hpp"
#include "host/swarmx/protocol/op_frames.hpp"
#include "host/swarmx/root/stream.hpp"
#include "tests/swarmx/simulated/shape.hpp"

namespace weft::swarmx::simulated {

using Send = std::function<void(Frame)>;

class RootMemory {
 public:
  RootMemory() = default;
  RootMemory(const RootMemory&) = delete;
  RootMemory& operator=(const RootMemory&) = delete;
  virtual ~RootMemory() = default;

  /// True once a state exists, that of step(), even if parts of it are still in flight.
  virtual bool ready() { return true; }
  virtual std::uint64_t step() const { return 0; }
  virtual void begin_step(std::uint64_t step, std::uint32_t micro_batches) = 0;
  /// True: all frames of the op have been sent.
  virtual bool stream(std::size_t op, const Send& send) = 0;
  /// False until the last added gradient has been sent.
  virtual bool has_room() const { return true; }
  virtual void add(std::size_t op, std::size_t first, std::span<const std::int64_t> values) = 0;
  /// True: the update has begun.
  virtual bool apply(std::uint64_t step, std::uint64_t tokens) = 0;
  /// True: the save of the state after `steps` steps has begun.
  virtual bool save(std::uint64_t /*steps*/) { return true; }
  /// The hash once all updates and saves are finished.
  virtual std::optional<std::uint64_t> hash() = 0;
};

/// MemoryX within the root's process.
class LocalRootMemory final : public RootMemory {
 public:
  LocalRootMemory(const compiler::Plan& plan, const memoryx::MemoryXOptions& options)
      : memoryx_(plan, options), memory_(plan, memoryx_), stream_(plan) {}
  void begin_step(std::uint64_t step, std::uint32_t micro_batches) override;
  bool stream(std::size_t op, const Send& send) override;
  void add(std::size_t op, std::size_t first, std::span<const std::int64_t> values) override {
    memoryx_.add(op, first, values);
  }
  bool apply(std::uint64_t step, std::uint64_t tokens) override;
  std::optional<std::uint64_t> hash() override { return memoryx_.hash(); }

 private:
  memoryx::MemoryX memoryx_;
  LocalMemoryXClient memory_;
  Stream stream_;
};

/// The state that survives a root: the last complete checkpoint.
struct Disk {
  std::uint64_t steps = 0;                       ///< done; 0: no checkpoint
  std::vector<std::vector<float>> vectors = {};  ///< weights and moments
};

/// A root that may skip rules for its ranks of MemoryX.
class FaultyRanks final : public RanksState {
 public:
  FaultyRanks(const compiler::Plan& plan, int ranks, const memoryx::MemoryXOptions& options, const Without& without)
      : RanksState(plan, ranks, options), without_(without) {}
  bool reserve(std::size_t rank) override { return RanksState::reserve(rank) || without_.one_of_a_name; }

 private:
  bool enough(std::size_t count) const override {
    return RanksState::enough(count) || (without_.all_ranks && count > 0);
  }
  Without without_;
};

/// MemoryX on separate ranks.
class RanksRootMemory final : public RootMemory {
 public:
  /// `send` sends a frame to a rank. `disk` must outlive this object.
  RanksRootMemory(const compiler::Plan& plan, const memoryx::MemoryXOptions& options, const Shape& shape,
                  const Without& without, Disk& disk, std::function<void(std::size_t rank, const Frame& frame)> send);
  RanksState& ranks() { return state_; }
  /// Handles a rank's frame, or its connection.
  void take(std::size_t rank, const Frame& frame);
  void join(std::size_t rank);

  bool ready() override { return loaded_ && state_.update_complete(); }
  std::uint64_t step() const override { return disk_.steps; }
  void begin_step(std::uint64_t step, std::uint32_t micro_batches) override;
  bool stream(std::size_t op, const Send& send) override;
  bool has_room() const override { return counted_.empty(); }
  void add(std::size_t op, std::size_t first, std::span<const std::int64_t> values) override;
  bool apply(std::uint64_t step, std::uint64_t tokens) override;
  bool save(std::uint64_t steps) override;
  std::optional<std::uint64_t> hash() override;

 private:
  void load();
  void pump();
  void take_chunks();
  void send(const RanksState::Out& out);

  const compiler::Plan& plan_;
  Without without_;
  Disk& disk_;
  std::function<void(std::size_t, const Frame&)> send_;
  FaultyRanks state_;
  OpFrames frames_;
  bool loaded_ = false;                     // all ranks have been sent their state
  bool step_begun_ = false;                 // the current step was already begun
  bool normed_ = false;                     // the ranks were asked for their squares
  std::optional<std::size_t> streams_;      // the requested op
  std::deque<RanksState::ToRank> counted_;  // gradients and chunks that wait for credit, and the frames after them
  std::optional<std::uint32_t> saves_;      // the request of the current snapshot
  Disk next_;                               // its chunks so far
};

}  // namespace weft::swarmx::simulated
