#include "tests/swarmx/simulated/simulation.hpp"

#include <algorithm>
#include <utility>

#include "tests/swarmx/small_plan.hpp"

namespace weft::swarmx::simulated {
namespace {

const compiler::Plan& plan(bool parted) {
  static const compiler::Plan small = small_plan(), several = small_parted_plan();
  return parted ? several : small;
}

}  // namespace

Simulation::Simulation(std::uint64_t seed, const Shape& shape, const Without& without)
    : world_(test::mix(seed)), shape_(shape), without_(without), plan_(plan(shape.parted)) {
  world_.deadlines = !without.deadlines;
  add_root();
  for (int rank = 0; rank < shape.memory; ++rank) memory_comes(add_memory(static_cast<std::size_t>(rank)));
  for (int node = 0; node < shape.nodes; ++node) node_comes(add_node("node " + std::to_string(node)));
  while (static_cast<int>(wafers_.size()) < shape.wafers) come_back(add_wafer());
  root_->begin();
}

Simulation::~Simulation() {
  for (const auto& process : processes_) {
    process->missed.clear();
    dynamic_cast<Connected&>(*process).lines.clear();
  }
}

Ending Simulation::run(int faults, milliseconds length) {
  for (int n = 0; n < faults; ++n) {
    const auto when = world_.rng.below(static_cast<std::uint32_t>(length.count()) + 1);
    world_.in(milliseconds(when), [this] { ending_.faults += !root_->done() && fault() ? 1 : 0; });
  }
  while (!root_->done() && world_.now < Time{} + kLimit && world_.step()) {
  }
  ending_.took = std::chrono::duration_cast<milliseconds>(world_.now - Time{});
  if (root_->done()) ending_.hash = root_->hash();
  ending_.repeated = root_->repeated;
  return ending_;
}

void Simulation::add_root() {
  root_ = add<RootProcess>(world_, plan_, shape_, without_, disk_, [this](const std::string& why) { refused(why); });
}

std::shared_ptr<WaferProcess> Simulation::add_wafer() {
  const std::size_t number = wafers_.size();
  const auto orphaned = [this, number] { come_back(wafers_[number]); };
  wafers_.push_back(add<WaferProcess>(world_, "wafer " + std::to_string(number), plan_, orphaned));
  return wafers_.back();
}

std::shared_ptr<NodeProcess> Simulation::add_node(const std::string& name) {
  const std::size_t number = nodes_.size();
  const auto orphaned = [this, number] { node_comes(nodes_[number]); };
  nodes_.push_back(add<NodeProcess>(name, plan_, orphaned));
  return nodes_.back();
}

std::shared_ptr<MemoryProcess> Simulation::add_memory(std::size_t rank) {
  const std::size_t number = memory_.size();
  const auto orphaned = [this, number] { memory_comes(memory_[number]); };
  memory_.push_back(add<MemoryProcess>(world_, rank, plan_, orphaned));
  return memory_.back();
}

std::shared_ptr<Connection> Simulation::link(const std::shared_ptr<Connected>& parent,
                                             const std::shared_ptr<Connected>& child) {
  auto connection = std::make_shared<Connection>(world_, parent, child);
  connections_.push_back(connection);
  return connection;
}

/// Connects a node without a parent, with retries.
void Simulation::node_comes(const std::shared_ptr<NodeProcess>& node) {
  world_.in(world_.about(milliseconds(10)), [this, node] {
    node->when_it_runs([this, node] {
      if (!root_->alive || root_->stopped) return node_comes(node);
      const auto connection = link(root_, node);
      const std::size_t number = node->comes();
      node->lines[number] = {connection, 1};
      connection->end(1).number = number;
      const auto port = static_cast<std::uint16_t>(ports_.size());  // a new port for each of its lives
      ports_.push_back({node, node->life()});
      connection->end(0).number = root_->welcome_node(node->name, port, {connection, 0});
      connection->start();
    });
  });
}

/// Connects a rank of MemoryX, with retries.
void Simulation::memory_comes(const std::shared_ptr<MemoryProcess>& memory) {
  world_.in(world_.about(milliseconds(10)), [this, memory] {
    memory->when_it_runs([this, memory] {
      if (!memory->lines.empty()) return;
      if (!root_->alive) return memory_comes(memory);
      const auto connection = link(root_, memory);
      connection->end(0).patient = without_.memory_deadline;
      memory->adopted({connection, 1});
      connection->start();
      root_->welcome_memory(memory->rank, {connection, 0});
    });
  });
}

/// Makes the wafer a child of the root, or sends it to a node.
void Simulation::connect(const std::shared_ptr<WaferProcess>& wafer) {
  const std::uint32_t member_id = root_->new_member_id();
  if (const auto port = root_->place(wafer->name, member_id)) {
    const auto& [to, life] = ports_.at(*port);
    world_.in(world_.about(milliseconds(5)), [this, wafer, to = to, life = life, member_id] {
      wafer->when_it_runs([=, this] { go(wafer, to, life, member_id); });
    });
    return;
  }
  const auto connection = link(root_, wafer);
  wafer->adopted({connection, 1});
  connection->end(0).number = root_->welcome(wafer->name, {member_id}, true, {connection, 0});
  connection->start();
}

/// Connects the wafer to the node if the node listens there; otherwise the wafer returns to the root.
void Simulation::go(const std::shared_ptr<WaferProcess>& wafer, const std::shared_ptr<NodeProcess>& node,
                    std::size_t life, std::uint32_t member_id) {
  const auto listens = [node, life] { return node->alive && node->life() == life && node->has_parent(); };
  if (node->walled || !listens()) return come_back(wafer);
  const auto connection = link(node, wafer);
  connection->end(0).number = ~std::size_t{0};  // until the node knows the connection
  wafer->adopted({connection, 1});
  connection->start();
  node->when_it_runs([node, wafer, member_id, connection, listens] {
    if (listens()) return node->welcome(wafer->name, member_id, {connection, 0});
    connection->cut();
  });
}

/// Connects a wafer without a parent, with retries.
void Simulation::come_back(const std::shared_ptr<WaferProcess>& wafer) {
  world_.in(world_.about(milliseconds(20)), [this, wafer] {
    wafer->when_it_runs([this, wafer] {
      if (!wafer->lines.empty()) return;
      if (!root_->alive || root_->stopped || root_->waits()) return come_back(wafer);
      connect(wafer);
    });
  });
}

/// Restarts as a requeued job: with another root, and new ranks of MemoryX in place of those that are dead or stopped.
void Simulation::refused(const std::string& why) {
  ending_.refusals.push_back(why);
  for (std::size_t rank = 0; rank < static_cast<std::size_t>(shape_.memory); ++rank) {
    const auto works = [rank](const auto& one) { return one->rank == rank && one->alive && !one->stopped; };
    if (std::ranges::none_of(memory_, works)) memory_comes(add_memory(rank));
  }
  restart_root();
}

}  // namespace weft::swarmx::simulated
