/// A node of the tree, or the root's side of it: sends pieces to its children, and sums their buckets.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "host/planning/swarm_model/common.hpp"
#include "host/planning/swarm_model/thread.hpp"

namespace weft::planning::swarm_model {

class Node final : public Child {
 public:
  /// `first`: the number of its first wafer.
  Node(Common& common, Cores& cores, int first)
      : Child(first, kSumBytes / kValueBytes), common_(common), network_(cores), reads_(network_), writes_(network_) {}

  /// Adds a child of the same tree. `child` must outlive this.
  void adopt(Child& child);
  /// Takes a piece at no cost: at the root, where the stream is on the same host.
  void push(Piece piece);
  void receive(Piece piece) override;
  std::function<void()> taken;                             ///< called when a piece was sent to the children
  std::function<void(int pass, std::size_t bucket)> done;  ///< called when all children have contributed

 private:
  struct Below {
    Child* child;
    const Pieces& pieces;
    Line down, up;
    Coroutine writes, reads;
    int room;
  };
  std::size_t at_work(int pass) const;
  void pump();
  void send(Below& below, Piece piece);
  /// Takes a child's bucket that has arrived.
  void contribute(Below& below, int pass, std::size_t bucket);

  Common& common_;
  Thread network_;
  Coroutine reads_, writes_;  // from and to the parent
  std::deque<Below> children_;
  std::deque<Piece> inbox_;
  std::map<int, std::vector<std::size_t>> sums_;  // [pass][bucket]: number of children that have contributed
};

}  // namespace weft::planning::swarm_model
