/// A simulated member of the swarm: its network's thread, its wafer's thread, and the wafer, which computes
/// concurrently.
#pragma once

#include <deque>
#include <optional>

#include "host/planning/swarm_model/common.hpp"
#include "host/planning/swarm_model/thread.hpp"

namespace weft::planning::swarm_model {

class WaferMember final : public Child {
 public:
  WaferMember(Common& common, Cores& cores, int number)
      : Child(number, common.wide_of_wafers()),
        common_(common),
        network_(cores),
        thread_(cores),
        reads_(network_),
        writes_(network_) {}
  void receive(Piece piece) override;

 private:
  /// Makes the wafer's thread do what it can; called again by everything that it waits for.
  void go();
  void work(double seconds, Then then);
  void compute();
  void send(std::size_t bucket);

  static constexpr std::size_t kOps = 2;  // held by the wafer: one is computed, one waits

  Common& common_;
  Thread network_;
  Thread thread_;             // the wafer's
  Coroutine reads_, writes_;  // from and to the parent
  std::deque<Piece> inbox_;
  bool busy_ = false;                   // true while the wafer's thread works
  std::optional<std::size_t> waits_;    // an op that the wafer has no room for
  std::deque<std::size_t> with_wafer_;  // ops; the front is being computed
  std::deque<std::size_t> returned_;    // buckets to be encoded
  int pass_ = 0;
};

}  // namespace weft::planning::swarm_model
