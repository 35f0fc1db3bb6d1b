/// Where a wafer that comes to the root is to be: below which node of another process, or below the root itself.
///
/// A state machine without a network or a clock of its own. docs/swarm.md, Nodes in processes of their own.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace weft {

class Places {
 public:
  using Time = std::chrono::steady_clock::time_point;
  /// So many nodes are to come; wafers wait for them `until` then.
  Places(std::size_t nodes, Time until) : nodes_wanted_(nodes), until_(until) {}

  struct Node {
    std::string name = {};
    std::string address = {};  ///< where wafers come to it
    std::uint16_t port = 0;
  };
  /// A node is the root's child of this number from now on, which no other will have; until it is lost.
  void come(std::size_t child, Node node);
  void lose(std::size_t child);

  struct Wafer {
    std::string name = {};
    std::string host = {};  ///< the address that it came from
  };
  /// Whether wafers that come now wait for nodes that have not come yet.
  bool wait(Time now) const { return came_.size() < nodes_wanted_ && now < until_; }
  /// Where the wafer goes, with a seat that nobody had before: the node that has the fewest; none: it is the root's.
  /// Who was sent to a node, and is here again before its seat has come, could not get there: it is the root's.
  std::optional<Node> place(const Wafer& wafer, std::uint32_t seat);

  struct There {
    Wafer wafer;
    std::string node = {};
  };
  /// A seat has come to its node: whose it is. None: nobody was sent with it.
  std::optional<There> came(std::uint32_t seat);
  /// A seat that has come has left: the name of its node; none: it was at none.
  std::optional<std::string> leave(std::uint32_t seat);
  /// Whether the node is there.
  bool there(const std::string& node) const;

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
  std::set<std::string> came_;          // names of nodes that ever did
  std::map<std::size_t, Node> nodes_;   // [child]
  std::map<std::uint32_t, Sent> sent_;  // [seat]
};

}  // namespace weft
