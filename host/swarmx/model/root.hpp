/// The root: rounds are begun and streamed, a step ends when all of it is in, and its update goes on beside the next.
#pragma once

#include <cstdint>
#include <vector>

#include "host/swarmx/model/node.hpp"

namespace weft::swarm_model {

class Root {
 public:
  Root(Common& common, Cores& cores);
  Node& node() { return node_; }

  /// Begins the first step.
  void start() { stream(); }
  bool over() const { return static_cast<int>(ends_.size()) > common_.job.steps; }
  /// [step] when it ended.
  const std::vector<double>& ends() const { return ends_; }

 private:
  void stream();
  void ended();
  void update();

  static constexpr int kOutbox = 8;  // pieces between the stream's thread and the network's

  Common& common_;
  Node node_;
  Thread stream_, memory_;
  bool busy_ = false;  // the stream's thread
  int outbox_ = 0;
  int begun_ = 0;  // rounds
  int ended_ = 0;
  int in_step_ = 0;          // rounds of it that have ended
  int open_ = 0;             // rounds that may be begun: of the steps so far
  std::uint32_t piece_ = 0;  // that comes next, of round begun_ - 1; 0: none of it has been sent
  std::size_t ready_ = 0;    // ops whose parameters are up to date
  std::vector<double> ends_;
};

}  // namespace weft::swarm_model
