/// MemoryX as a swarm and a training run use it: in this process (memory/local.hpp), or with its tensors assigned to
/// ranks of their own (memory/ranks.hpp).
///
/// A step is as in MemoryX: begin_step, frames of each op, add, apply, finish_update.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "host/memoryx/memoryx.hpp"
#include "host/swarmx/protocol/frame.hpp"
#include "host/swarmx/protocol/times.hpp"
#include "sw/base/failure.hpp"

namespace weft::swarmx {

class MemoryXClient {
 public:
  MemoryXClient() = default;
  virtual ~MemoryXClient() = default;
  MemoryXClient(const MemoryXClient&) = delete;
  MemoryXClient& operator=(const MemoryXClient&) = delete;

  /// Counterparts of the functions of MemoryX with these names.
  virtual void begin_step(const memoryx::UpcomingStep& upcoming) = 0;
  virtual void streamed(std::size_t op) = 0;
  virtual void abandon_step() = 0;
  virtual void add(std::size_t op, std::size_t first, std::span<const std::int64_t> values) = 0;
  virtual memoryx::Applied apply(std::uint64_t step, std::uint64_t tokens) = 0;
  virtual double learning_rate(std::uint64_t step) const = 0;
  virtual int moments() const = 0;
  virtual bool update_finished() const noexcept = 0;
  virtual memoryx::UpdateResult finish_update() = 0;
  virtual bool is_consistent() const = 0;
  virtual std::uint64_t hash() = 0;
  virtual std::shared_ptr<memoryx::Snapshot> snapshot(memoryx::MemoryX::Take take, std::function<void()> end) = 0;

  /// Calls `send` with op's frames in order, without step and pass; waits for weights that are still being updated.
  /// `next`: the op whose frames are requested after these, if any. `clock` records how long weights were waited for;
  /// may be null.
  using Send = std::function<void(Frame)>;
  virtual void frames(std::size_t op, std::optional<std::size_t> next, StepClock* clock, const Send& send) = 0;

  /// Replaces the state: `read` fills elements `first`, `first` + 1, ... of weights (0) and of as many vectors of
  /// moments (1, 2) as there are. Elements that plan.mask leaves out become zero. Nothing may be under way.
  using Read = std::function<void(int vector, std::uint64_t first, std::span<float> to)>;
  virtual void load(const Read& read) = 0;
  /// Sets the run of the swarm at work: a failure here that has no caller to throw to is the failure of `run`. Null:
  /// there is none.
  virtual void report_failures_to(FirstFailure* run) noexcept = 0;

  /// Begins with the initial state of the seed; before the first step, if nothing is loaded.
  virtual void start() = 0;
};

}  // namespace weft::swarmx
