/// The root of a simulated swarm.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/swarmx/protocol/batch.hpp"
#include "host/swarmx/tree/node_assignment.hpp"
#include "host/swarmx/tree/node_state.hpp"
#include "host/swarmx/tree/root.hpp"
#include "tests/swarmx/simulated/processes.hpp"
#include "tests/swarmx/simulated/root_memory.hpp"
#include "tests/swarmx/simulated/shape.hpp"

namespace weft::swarmx::simulated {

/// A root that may skip rules.
class FaultyRoot final : public Root {
 public:
  FaultyRoot(const compiler::Plan& plan, DispatchOptions options, Without without)
      : Root(plan, options), without_(without) {}

 private:
  Ledger::Entry record(Ledger& ledger, const Contribution& contribution, std::size_t bucket) override;
  Without without_;
};

/// MemoryX or its ranks, the stream and the root of the tree.
class RootProcess final : public Connected {
 public:
  /// `refused` receives the reason if the root gives up: a rank of MemoryX is lost, or does not connect.
  RootProcess(World& world, const compiler::Plan& plan, const Shape& shape, const Without& without, Disk& disk,
              std::function<void(const std::string& why)> refused);
  void receive(std::size_t number, const Frame& frame) override;
  void lost(std::size_t number) override;
  /// Adds a child with its member ids.
  std::size_t welcome(const std::string& name, std::vector<std::uint32_t> member_ids, bool leaf, Line line);
  /// Adds a node, to which wafers connect at `port`.
  std::size_t welcome_node(const std::string& name, std::uint16_t port, Line line);
  /// Adds a rank of MemoryX; a rank whose name is taken waits.
  void welcome_memory(std::size_t rank, Line line);
  std::uint32_t new_member_id() { return next_member_id_++; }
  /// True if wafers that connect now must reconnect later.
  bool waits() const { return assignment_->must_wait(world_.now); }
  /// The port of the wafer's future parent node; none: the root is its parent.
  std::optional<std::uint16_t> place(const std::string& wafer, std::uint32_t member_id);
  /// Begins once a state exists.
  void begin();
  /// Restarts everything but MemoryX, with the current step. False: no step is in progress.
  bool swarm_fails();
  bool done() const { return hash_.has_value(); }
  std::uint64_t hash() const { return *hash_; }
  std::uint32_t repeated = 0;

 private:
  enum class Phase : std::uint8_t { Loading, Working, Updating, Saving, Ended };
  void new_swarm();
  void begin_step();
  void poll();
  void proceed();
  void begin_pass(const Root::Next& next);
  bool stream();
  void take_what_came();
  void take(const Frame& frame);
  void end_step();
  void down(const Frame& frame);
  void refuse(const std::string& why);

  World& world_;
  const compiler::Plan& plan_;
  Shape shape_;
  Without without_;
  std::function<void(const std::string&)> refused_;
  GetBatch data_;
  std::unique_ptr<RootMemory> memory_;
  RanksRootMemory* ranks_ = nullptr;            // alias of memory_; null: MemoryX is in this process
  std::map<std::size_t, std::size_t> rank_of_;  // [connection]
  std::vector<std::size_t> connection_of_;      // [rank]
  std::size_t next_memory_;                     // connection
  std::optional<NodeState> node_state_;         // state of the swarm, as are the next four
  std::optional<FaultyRoot> root_;
  std::optional<NodeAssignment> assignment_;
  std::deque<std::pair<std::size_t, std::optional<Frame>>> inbox_;  // frames of connections, and the connections' ends
  std::deque<Frame> up_;                                            // its own frames
  std::vector<std::int64_t> fixed_;                                 // values on their way into memory
  std::map<std::size_t, std::uint32_t> wafers_ = {};                // [child that is a wafer]: its member id
  std::optional<Root::Next> pass_children_;                         // being streamed
  std::size_t op_ = 0;                                              // op of pass_children_
  Phase phase_ = Phase::Loading;
  std::uint64_t step_ = 0;
  Collected sum_;
  std::uint32_t next_member_id_ = 0;
  std::optional<std::uint64_t> hash_;  // at the end
};

}  // namespace weft::swarmx::simulated
