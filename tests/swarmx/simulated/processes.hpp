/// The processes of a simulated swarm, but for its root and ranks of MemoryX.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/swarmx/family.hpp"
#include "host/swarmx/leaf.hpp"
#include "host/swarmx/link.hpp"
#include "host/swarmx/pulse.hpp"
#include "tests/swarmx/simulated/world.hpp"

namespace weft::simulated {

/// Connections of a process, by the number it knows them by.
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

/// An inner node. As it comes to the root, and whenever it comes back, it is without children.
class NodeProcess final : public Connected {
 public:
  NodeProcess(std::string name, const Plan& plan, std::function<void()> orphaned)
      : Connected(std::move(name)), plan_(plan), orphaned_(std::move(orphaned)) {}
  void receive(std::size_t number, const Frame& frame) override;
  void lost(std::size_t number) override;
  /// How it will call its parent's connection.
  std::size_t comes();
  void welcome(const std::string& name, std::uint32_t seat, Line line);
  /// Of the time with this parent.
  std::size_t life() const { return parent_; }
  bool has_parent() const { return lines.contains(parent_); }

  bool walled = false;  ///< nobody new gets to it

 private:
  static constexpr std::size_t kLife = 100000;  // connections with a parent

  const Plan& plan_;
  std::function<void()> orphaned_;
  std::optional<Family> family_;
  std::size_t parent_ = 0;  // number of its connection; those of children follow
};

/// A wafer; connection 0 is its parent.
class WaferProcess final : public Connected, public std::enable_shared_from_this<WaferProcess> {
 public:
  WaferProcess(World& world, std::string name, const Plan& plan, std::function<void()> orphaned);
  void receive(std::size_t number, const Frame& frame) override;
  void lost(std::size_t number) override;
  void adopted(Line parent);
  /// The thread that computes does nothing from now on. `dies` is called when the other one has seen it.
  void stand(std::function<void()> dies);

 private:
  void work();
  void look(std::function<void()> dies);

  World& world_;
  const Plan& plan_;
  std::function<void()> orphaned_;  // it has lost its parent
  std::optional<Leaf> leaf_;
  std::deque<Frame> frames_;  // to be worked at
  bool working_ = false;
  bool stands_ = false;
  Pulse pulse_;
  std::optional<Pulse::Rest> rest_{&pulse_};  // while there is nothing to do
  StillWatch watch_{pulse_, 6 * Link::kPatience};
  std::uint64_t life_ = 0;  // of this connection
};

}  // namespace weft::simulated
