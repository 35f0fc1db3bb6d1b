/// The simulated root: begins and streams passes, and ends a step when everything has arrived, while its update
/// overlaps the next step.
#pragma once

#include <cstdint>
#include <vector>

#include "host/planning/swarm_model/node.hpp"

namespace weft::planning::swarm_model {

class Root {
 public:
  Root(Common& common, Cores& cores);
  Node& node() { return node_; }

  /// Begins the first step.
  void start() { stream(); }
  bool over() const { return static_cast<int>(ends_.size()) > common_.job.steps; }
  /// Returns [step]: the time when it ended.
  const std::vector<double>& ends() const { return ends_; }

 private:
  void stream();
  void ended();
  void update();

  static constexpr int kOutbox = 8;  // pieces between the streaming thread and the network's

  Common& common_;
  Node node_;
  Thread stream_, memory_;
  bool busy_ = false;  // true while the streaming thread works
  int outbox_ = 0;
  int begun_ = 0;  // passes that were streamed
  int ended_ = 0;
  int in_step_ = 0;          // passes of the step that have ended
  int open_ = 0;             // passes that may be begun: of all steps so far
  std::uint32_t piece_ = 0;  // next piece of pass begun_; 0: none of it has been sent
  std::size_t ready_ = 0;    // ops whose parameters are up to date
  std::vector<double> ends_;
};

}  // namespace weft::planning::swarm_model
