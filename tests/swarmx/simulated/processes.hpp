/// The processes of a simulated swarm.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/swarmx/batch.hpp"
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
  std::uint32_t new_seat() { return next_seat_++; }
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
  GetBatch data_;
  MemoryX memoryx_;
  Stream stream_;
  Family family_;
  CarelessRoot root_;
  std::uint64_t step_ = 0;
  std::uint32_t next_seat_ = 0;
};

/// An inner node; connection 0 is its parent.
class NodeProcess final : public Connected {
 public:
  NodeProcess(std::string name, const Plan& plan) : Connected(std::move(name)), family_(plan) {}
  void receive(std::size_t number, const Frame& frame) override;
  void lost(std::size_t number) override;
  void welcome(const std::string& name, std::uint32_t seat, Line line);

 private:
  Family family_;
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
