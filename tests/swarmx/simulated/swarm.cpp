#include "tests/swarmx/simulated/swarm.hpp"

#include <algorithm>
#include <utility>

#include "tests/swarmx/simulated/processes.hpp"
#include "tests/swarmx/small_plan.hpp"

namespace weft::simulated {
namespace {

constexpr milliseconds kLimit{100000};  // by then it hangs

const Plan& plan() {
  static const Plan one = small_plan();
  return one;
}

class Simulation {
 public:
  Simulation(std::uint64_t seed, const Shape& shape, const Without& without)
      : world_(test::mix(seed)), shape_(shape), without_(without) {
    world_.deadlines = !without.deadlines;
    root_ = add<RootProcess>(world_, plan(), shape_, without_);
    for (int node = 0; node < shape.nodes; ++node) node_comes(add_node("node " + std::to_string(node)));
    while (static_cast<int>(wafers_.size()) < shape.wafers) come_back(add_wafer());
    root_->begin();
  }

  /// Processes and connections hold each other.
  ~Simulation() {
    for (const auto& process : processes_) {
      process->missed.clear();
      dynamic_cast<Connected&>(*process).lines.clear();
    }
  }

  Ending run(int faults, milliseconds length) {
    Ending ending;
    for (int n = 0; n < faults; ++n) {
      const auto when = world_.dice.below(static_cast<std::uint32_t>(length.count()) + 1);
      world_.in(milliseconds(when), [this, &ending] { ending.faults += !root_->done() && fault() ? 1 : 0; });
    }
    while (!root_->done() && world_.now < Time{} + kLimit && world_.step()) {
    }
    ending.took = std::chrono::duration_cast<milliseconds>(world_.now - Time{});
    if (root_->done()) ending.hash = root_->hash();
    ending.repeated = root_->repeated;
    return ending;
  }

 private:
  template <class Kind, class... Arguments>
  std::shared_ptr<Kind> add(Arguments&&... arguments) {
    auto process = std::make_shared<Kind>(std::forward<Arguments>(arguments)...);
    processes_.push_back(process);
    return process;
  }
  std::shared_ptr<WaferProcess> add_wafer() {
    const std::size_t number = wafers_.size();
    const auto orphaned = [this, number] { come_back(wafers_[number]); };
    wafers_.push_back(add<WaferProcess>(world_, "wafer " + std::to_string(number), plan(), orphaned));
    return wafers_.back();
  }

  std::shared_ptr<Connection> link(const std::shared_ptr<Connected>& parent, const std::shared_ptr<Connected>& child) {
    auto connection = std::make_shared<Connection>(world_, parent, child);
    connections_.push_back(connection);
    return connection;
  }
  std::shared_ptr<NodeProcess> add_node(const std::string& name) {
    const auto process = static_cast<std::uint16_t>(nodes_.size());
    const auto orphaned = [this, process] { node_comes(nodes_[process]); };
    nodes_.push_back(add<NodeProcess>(name, process, plan(), orphaned));
    return nodes_.back();
  }
  /// A node without a parent tries until there is one.
  void node_comes(const std::shared_ptr<NodeProcess>& node) {
    world_.in(world_.about(milliseconds(10)), [this, node] {
      node->when_it_runs([this, node] {
        if (!root_->alive || root_->stopped) return node_comes(node);
        const auto connection = link(root_, node);
        const std::size_t number = node->comes();
        node->lines[number] = {connection, 1};
        connection->end(1).number = number;
        connection->end(0).number = root_->welcome_node(node->name, node->number, {connection, 0});
        connection->start();
      });
    });
  }
  /// It is the root's child, or is sent to a node.
  void connect(const std::shared_ptr<WaferProcess>& wafer) {
    const std::uint32_t seat = root_->new_seat();
    if (const auto node = root_->place(wafer->name, seat)) {
      const std::shared_ptr<NodeProcess>& to = nodes_[*node];
      const std::size_t life = to->life();
      world_.in(world_.about(milliseconds(5)),
                [this, wafer, to, life, seat] { wafer->when_it_runs([=, this] { go(wafer, to, life, seat); }); });
      return;
    }
    const auto connection = link(root_, wafer);
    wafer->adopted({connection, 1});
    connection->end(0).number = root_->welcome(wafer->name, {seat}, true, {connection, 0});
    connection->start();
  }
  /// To the node, if it listens there, and from it if it does not.
  void go(const std::shared_ptr<WaferProcess>& wafer, const std::shared_ptr<NodeProcess>& node, std::size_t life,
          std::uint32_t seat) {
    const auto listens = [node, life] { return node->alive && node->life() == life && node->has_parent(); };
    if (node->walled || !listens()) return come_back(wafer);
    const auto connection = link(node, wafer);
    connection->end(0).number = ~std::size_t{0};  // until it has heard of it
    wafer->adopted({connection, 1});
    connection->start();
    node->when_it_runs([node, wafer, seat, connection, listens] {
      if (listens()) return node->welcome(wafer->name, seat, {connection, 0});
      connection->cut();
    });
  }
  /// A wafer without a parent tries until there is one.
  void come_back(const std::shared_ptr<WaferProcess>& wafer) {
    world_.in(world_.about(milliseconds(20)), [this, wafer] {
      wafer->when_it_runs([this, wafer] {
        if (!wafer->lines.empty()) return;
        if (!root_->alive || root_->stopped || root_->waits()) return come_back(wafer);
        connect(wafer);
      });
    });
  }

  void kill(const std::shared_ptr<Process>& process) {
    process->alive = false;
    for (const auto& connection : connections_) {
      if (connection->end(0).process == process || connection->end(1).process == process) connection->cut();
    }
  }
  void restart_root() {
    kill(root_);
    world_.in(world_.about(milliseconds(100)), [this] {
      root_ = add<RootProcess>(world_, plan(), shape_, without_);
      root_->begin();
    });
  }
  void stop(const std::shared_ptr<Process>& process) {
    process->stopped = true;
    world_.in(a_while(), [process] { process->go_on(); });
  }
  /// Shorter than a deadline or longer, or for ever.
  milliseconds a_while() { return world_.dice.chance(30) ? 2 * kLimit : milliseconds(20 + world_.dice.below(3000)); }

  template <class Things>
  auto any_of(const Things& things) {
    return things[world_.dice.below(static_cast<std::uint32_t>(things.size()))];
  }
  std::shared_ptr<WaferProcess> some_wafer() {
    std::vector<std::shared_ptr<WaferProcess>> alive;
    std::ranges::copy_if(wafers_, std::back_inserter(alive), [](const auto& wafer) { return wafer->alive; });
    return alive.empty() ? nullptr : any_of(alive);
  }
  std::shared_ptr<Connection> some_connection() {
    std::erase_if(connections_, [](const auto& connection) { return !connection->open(); });
    return connections_.empty() ? nullptr : any_of(connections_);
  }

  /// A node dies, and perhaps comes back; it is stopped; a wall cuts it off from all wafers. False: there is none.
  bool node_fault() {
    std::vector<std::shared_ptr<NodeProcess>> alive;
    std::ranges::copy_if(nodes_, std::back_inserter(alive), [](const auto& node) { return node->alive; });
    if (alive.empty()) return false;
    const auto node = any_of(alive);
    switch (world_.dice.below(4)) {
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

  /// Something goes wrong. False: there was nothing it could happen to.
  bool fault() {
    const std::uint32_t kind = world_.dice.below(11);
    if (kind >= 4 && kind <= 6) {
      const auto connection = some_connection();
      if (!connection) return false;
      if (kind == 4) connection->cut();
      if (kind == 5) connection->hold(world_.now + a_while());
      if (kind == 6) connection->corrupt();
      return true;
    }
    const auto wafer = some_wafer();
    if (kind < 4 && !wafer) return false;
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
        wafer->slow = 5 + world_.dice.below(40);
        world_.in(milliseconds(5000), [wafer] { wafer->slow = 1; });
        return true;
      case 7:
      case 10:
        return node_fault();
      case 8:
        if (!root_->alive) return false;
        restart_root();
        return true;
      default:
        come_back(add_wafer());
        return true;
    }
  }

  World world_;
  Shape shape_;
  Without without_;
  std::vector<std::shared_ptr<Process>> processes_;  // all that ever were
  std::shared_ptr<RootProcess> root_;
  std::vector<std::shared_ptr<NodeProcess>> nodes_;
  std::vector<std::shared_ptr<WaferProcess>> wafers_;
  std::vector<std::shared_ptr<Connection>> connections_;
};

}  // namespace

Ending run(std::uint64_t seed, const Shape& shape, int faults, milliseconds length, const Without& without) {
  return Simulation(seed, shape, without).run(faults, length);
}

Shape shape_of(std::uint64_t seed) {
  test::Dice dice(test::mix(seed ^ 0x5eed));
  Shape shape;
  shape.wafers = 1 + static_cast<int>(dice.below(6));
  shape.nodes = static_cast<int>(dice.below(static_cast<std::uint32_t>(shape.wafers) / 2 + 1));
  shape.micro_batches = 1 + dice.below(9);
  shape.steps = 2 + dice.below(2);
  return shape;
}

}  // namespace weft::simulated
