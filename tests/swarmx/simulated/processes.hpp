/// The processes of a simulated swarm.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/swarmx/batch.hpp"
#include "host/swarmx/memory/local.hpp"
#include "host/swarmx/places.hpp"
#include "host/swarmx/stream.hpp"
#include "tests/swarmx/simulated/swarm.hpp"

namespace weft::simulated {

/// A root that may be careless.
class CarelessRoot final : public Root {
 public:
  CarelessRoot(const Plan& plan, DispatchOptions options, Without without) : Root(plan, options), without_(without) {}

 private:
  Ledger::Entry enter(Ledger& ledger, const Contribution& contribution, std::size_t slot) override;
  Without without_;
};

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

/// Memory, the stream and the root of the tree.
class RootProcess final : public Connected {
 public:
  RootProcess(World& world, const Plan& plan, const Shape& shape, const Without& without);
  void receive(std::size_t number, const Frame& frame) override;
  void lost(std::size_t number) override;
  /// A child comes, with seats of its own.
  std::size_t welcome(const std::string& name, std::vector<std::uint32_t> seats, bool leaf, Line line);
  /// A node comes; places know it by its process' number.
  std::size_t welcome_node(const std::string& name, std::uint16_t process, Line line);
  std::uint32_t new_seat() { return next_seat_++; }
  /// Wafers that come now are to come again.
  bool waits() const { return places_.wait(world_.now); }
  /// The number of the process where the wafer is to go; none: the root's.
  std::optional<std::uint16_t> place(const std::string& wafer, std::uint32_t seat);
  /// Begins with the first step.
  void begin();
  bool done() const { return step_ == shape_.steps; }
  std::uint64_t hash() { return memoryx_.hash(); }
  std::uint32_t repeated = 0;

 private:
  void begin_step();
  void look();
  void stream(const Root::Next& next);
  void down(const Frame& frame);
  void up(const std::vector<Frame>& frames);

  World& world_;
  const Plan& plan_;
  Shape shape_;
  Without without_;
  GetBatch data_;
  MemoryX memoryx_;
  LocalMemory memory_;
  Stream stream_;
  Family family_;
  CarelessRoot root_;
  Places places_;
  std::uint64_t step_ = 0;
  std::uint32_t next_seat_ = 0;
};

/// An inner node. As it comes to the root, and whenever it comes back, it is without children.
class NodeProcess final : public Connected {
 public:
  NodeProcess(std::string name, std::uint16_t number, const Plan& plan, std::function<void()> orphaned)
      : Connected(std::move(name)), number(number), plan_(plan), orphaned_(std::move(orphaned)) {}
  void receive(std::size_t number, const Frame& frame) override;
  void lost(std::size_t number) override;
  /// How it will call its parent's connection.
  std::size_t comes();
  void welcome(const std::string& name, std::uint32_t seat, Line line);
  /// Of the time with this parent.
  std::size_t life() const { return parent_; }
  bool has_parent() const { return lines.contains(parent_); }

  const std::uint16_t number;  ///< of the process
  bool walled = false;         ///< nobody new gets to it

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

 private:
  void work();

  World& world_;
  const Plan& plan_;
  std::function<void()> orphaned_;  // it has lost its parent
  std::optional<Leaf> leaf_;
  std::deque<Frame> frames_;  // to be worked at
  bool working_ = false;
  std::uint64_t life_ = 0;  // of this connection
};

}  // namespace weft::simulated
