/// Assignment of wafers that join the root: to a node of another process, or to the root itself.
///
/// A state machine without a network or a clock of its own. docs/explanation/swarm.md, Nodes in processes of their own.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace weft::swarmx {

class NodeAssignment {
 public:
  using Time = std::chrono::steady_clock::time_point;
  /// `nodes`: expected nodes; wafers wait for them until time `until`.
  NodeAssignment(std::size_t nodes, Time until) : nodes_wanted_(nodes), until_(until) {}

  struct Node {
    std::string name = {};
    std::string address = {};  ///< address that wafers join
    std::uint16_t port = 0;
  };
  /// Adds a node, the root's child of this number until it is lost. The number is never used again.
  void add_node(std::size_t child, Node node);
  void remove_node(std::size_t child);

  struct Wafer {
    std::string name = {};
    std::string host = {};  ///< the address it connected from
  };
  /// True while wafers that join must wait for nodes that have not joined yet.
  bool must_wait(Time now) const { return joined_.size() < nodes_wanted_ && now < until_; }
  /// Assigns a wafer, with a new member id, to the node that has the fewest; none: to the root itself. A wafer that
  /// joins again before it has arrived at its node could not reach it: the root takes it.
  std::optional<Node> assign(const Wafer& wafer, std::uint32_t member_id);

  struct There {
    Wafer wafer;
    std::string node = {};
  };
  /// Notes that a member has arrived at its node, and returns it; none: no wafer was on its way with this id.
  std::optional<There> arrived(std::uint32_t member_id);
  /// Removes a member that has left; returns the name of its node; none: it was at none.
  std::optional<std::string> remove_wafer(std::uint32_t member_id);
  /// True if the node is connected.
  bool is_connected(const std::string& node) const;

 private:
  enum class State : std::uint8_t { OnItsWay, GivenUp, There };
  struct Sent {
    Wafer wafer;
    std::size_t child = 0;
    std::string node = {};
    State state = State::OnItsWay;
  };
  std::size_t wafers_of(std::size_t child) const;

  std::size_t nodes_wanted_;
  Time until_;
  std::set<std::string> joined_;        // names of nodes that ever joined
  std::map<std::size_t, Node> nodes_;   // [child]
  std::map<std::uint32_t, Sent> sent_;  // [member id]
};

}  // namespace weft::swarmx
