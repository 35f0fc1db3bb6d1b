/// A process that forwards connections to a swarm, over a link that becomes slow on command.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "bench/common/processes.hpp"

namespace weft::bench {

class SlowLink {
 public:
  /// `slow`: a command of tests/swarmx/relay. `again`: a command that follows a second later, and then both take turns
  /// each second; empty: none.
  SlowLink(std::string slow, std::string again);

  /// Starts to forward to the port of a swarm; returns the port at which to join.
  std::uint16_t start(std::uint16_t target);
  void make_slow() const;

 private:
  std::uint16_t port_;
  std::unique_ptr<JoiningProcess> process_;
};

}  // namespace weft::bench
