/// A node of the tree, the root's side of it included: pieces go to its children, their slots become sums.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "host/swarmx/model/common.hpp"
#include "host/swarmx/model/thread.hpp"

namespace weft::swarm_model {

class Node final : public Child {
 public:
  /// `first`: the number of its first wafer.
  Node(Common& common, Cores& cores, int first)
      : Child(first, kSumBytes / kValueBytes), common_(common), network_(cores), reads_(network_), writes_(network_) {}

  /// Of the same tree. `child` must outlive this.
  void adopt(Child& child);
  /// From above, without a cost: at the root, where the stream is on the same host.
  void push(Piece piece);
  void take(Piece piece) override;
  std::function<void()> taken;                            ///< a piece is on its way to the children
  std::function<void(int round, std::size_t slot)> done;  ///< a slot has all of its children

 private:
  struct Below {
    Child* child;
    const Pieces& pieces;
    Line down, up;
    Coroutine writes, reads;
    int room;
  };
  std::size_t at_work(int round) const;
  void pump();
  void send(Below& below, Piece piece);
  /// A child's slot has arrived.
  void contribute(Below& below, int round, std::size_t slot);

  Common& common_;
  Thread network_;
  Coroutine reads_, writes_;  // from and to the parent
  std::deque<Below> children_;
  std::deque<Piece> inbox_;
  std::map<int, std::vector<std::size_t>> sums_;  // [round][slot] children whose part has come
};

}  // namespace weft::swarm_model
