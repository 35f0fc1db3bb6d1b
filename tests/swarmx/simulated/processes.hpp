/// The processes of a simulated swarm, except its root and ranks of MemoryX.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/swarmx/base/progress_watchdog.hpp"
#include "host/swarmx/link/link.hpp"
#include "host/swarmx/tree/leaf.hpp"
#include "host/swarmx/tree/node_state.hpp"
#include "tests/swarmx/simulated/world.hpp"

namespace weft::swarmx::simulated {

/// A process's connections, by the process's own numbers.
class Connected : public Process {
 public:
  using Process::Process;
  struct Line {
    std::shared_ptr<Connection> connection;
    int end = 0;
  };
  std::map<std::size_t, Line> lines;
  void say(std::size_t number, const Frame& frame) {
    const auto line = lines.find(number);
    if (line != lines.end()) line->second.connection->send(line->second.end, frame);
  }
};

/// An inner node. It has no children when it connects to the root, also after a reconnection.
class NodeProcess final : public Connected {
 public:
  NodeProcess(std::string name, const compiler::Plan& plan, std::function<void()> orphaned)
      : Connected(std::move(name)), plan_(plan), orphaned_(std::move(orphaned)) {}
  void receive(std::size_t number, const Frame& frame) override;
  void lost(std::size_t number) override;
  /// Returns the number that the parent's connection will have.
  std::size_t comes();
  void welcome(const std::string& name, std::uint32_t member_id, Line line);
  /// Identifies the time with the present parent.
  std::size_t life() const { return parent_; }
  bool has_parent() const { return lines.contains(parent_); }

  bool walled = false;  ///< unreachable for new children

 private:
  static constexpr std::size_t kLife = 100000;  // connections per parent

  const compiler::Plan& plan_;
  std::function<void()> orphaned_;
  std::optional<NodeState> node_state_;
  std::vector<std::uint32_t> members_;  // that have joined this life
  std::size_t ended_ = 0;               // tasks
  std::size_t parent_ = 0;              // number of the parent's connection; children's numbers follow
};

/// A wafer; connection 0 is its parent's.
class WaferProcess final : public Connected, public std::enable_shared_from_this<WaferProcess> {
 public:
  WaferProcess(World& world, std::string name, const compiler::Plan& plan, std::function<void()> orphaned);
  void receive(std::size_t number, const Frame& frame) override;
  void lost(std::size_t number) override;
  void adopted(Line parent);
  /// Makes the computing thread hang from now on. `dies` is called when the watchdog thread has noticed.
  void hang(std::function<void()> dies);

 private:
  void work();
  void watch(std::function<void()> dies);

  World& world_;
  const compiler::Plan& plan_;
  std::function<void()> orphaned_;  // called when the parent is lost
  std::optional<Leaf> leaf_;
  std::deque<Frame> frames_;  // to be handled
  bool working_ = false;
  bool hung_ = false;
  ProgressWatchdog watchdog_;
  std::optional<ProgressWatchdog::Idle> idle_{&watchdog_};  // while no work is pending
  WatchdogMonitor monitor_{watchdog_, 6 * Link::kPatience};
  std::uint64_t life_ = 0;  // life of this connection
};

}  // namespace weft::swarmx::simulated
