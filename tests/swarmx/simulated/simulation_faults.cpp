/// Faults injected into a simulated swarm.
#include <algorithm>

#include "tests/swarmx/simulated/simulation.hpp"

namespace weft::swarmx::simulated {

void Simulation::kill(const std::shared_ptr<Process>& process) {
  process->alive = false;
  for (const auto& connection : connections_) {
    if (connection->end(0).process == process || connection->end(1).process == process) connection->cut();
  }
}

void Simulation::restart_root() {
  kill(root_);
  world_.in(world_.about(milliseconds(100)), [this] {
    add_root();
    root_->begin();
  });
}

void Simulation::stop(const std::shared_ptr<Process>& process) {
  process->stopped = true;
  world_.in(a_while(), [process] { process->go_on(); });
}

/// A time shorter or longer than a deadline, or forever.
milliseconds Simulation::a_while() {
  return world_.rng.chance(30) ? 2 * kLimit : milliseconds(20 + world_.rng.below(3000));
}

bool Simulation::connection_fault() {
  std::erase_if(connections_, [](const auto& connection) { return !connection->open(); });
  if (connections_.empty()) return false;
  hurt(any_of(connections_));
  return true;
}

void Simulation::hurt(const std::shared_ptr<Connection>& connection) {
  const std::uint32_t kind = world_.rng.below(3);
  if (kind == 0) connection->cut();
  if (kind == 1) connection->hold(world_.now + a_while());
  if (kind == 2) connection->corrupt();
}

bool Simulation::wafer_fault(std::uint32_t kind) {
  const auto wafer = some(wafers_);
  if (!wafer) return false;
  switch (kind) {
    case 0:
    case 1:
      kill(wafer);
      if (kind == 0 || std::ranges::none_of(wafers_, [](const auto& one) { return one->alive; })) {
        world_.in(world_.about(milliseconds(200)), [this] { come_back(add_wafer()); });
      }
      return true;
    case 2:
      stop(wafer);
      world_.in(world_.about(milliseconds(4000)), [this] { come_back(add_wafer()); });
      return true;
    case 3:
      wafer->hang([this, wafer] {
        if (without_.progress) return;
        kill(wafer);
        come_back(add_wafer());
      });
      return true;
    default:
      wafer->slow = 5 + world_.rng.below(40);
      world_.in(milliseconds(5000), [wafer] { wafer->slow = 1; });
      return true;
  }
}

/// A node dies and perhaps restarts, is stopped, or becomes unreachable for all wafers.
bool Simulation::node_fault() {
  const auto node = some(nodes_);
  if (!node) return false;
  switch (world_.rng.below(4)) {
    case 0:
      stop(node);
      return true;
    case 1:
      node->walled = true;
      for (const auto& connection : connections_) {
        if (connection->end(0).process == node) connection->cut();
      }
      return true;
    case 2:
      world_.in(world_.about(milliseconds(200)), [this, node] { node_comes(add_node(node->name)); });
      [[fallthrough]];
    default:
      kill(node);
      return true;
  }
}

/// A rank of MemoryX dies and restarts before the loss is noticed or later, is stopped, becomes slow, gets a second
/// process of its name, or its connection fails. Or everything except MemoryX fails, and the step begins again.
bool Simulation::memory_fault() {
  const auto memory = some(memory_);
  if (!memory) return false;
  const auto another = [this, rank = memory->rank] { memory_comes(add_memory(rank)); };
  switch (world_.rng.below(9)) {
    case 0:
      stop(memory);
      return true;
    case 1:
      memory->slow = 5 + world_.rng.below(40);
      world_.in(milliseconds(5000), [memory] { memory->slow = 1; });
      return true;
    case 2:
      another();
      return true;
    case 3:
      return root_->alive && root_->swarm_fails();
    case 4:
      another();
      kill(memory);
      return true;
    case 5:
    case 6:
    case 7:
      if (memory->lines.empty()) return false;
      hurt(memory->lines.at(0).connection);
      return true;
    default:
      kill(memory);
      world_.in(world_.about(milliseconds(200)), another);
      return true;
  }
}

bool Simulation::fault() {
  const std::uint32_t kind = world_.rng.below(shape_.memory > 0 ? 19 : 12);
  switch (kind) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
      return wafer_fault(kind);
    case 5:
    case 6:
    case 7:
      return connection_fault();
    case 8:
    case 11:
      return node_fault();
    case 9:
      if (!root_->alive) return false;
      restart_root();
      return true;
    case 10:
      come_back(add_wafer());
      return true;
    default:
      return memory_fault();
  }
}

}  // namespace weft::swarmx::simulated
