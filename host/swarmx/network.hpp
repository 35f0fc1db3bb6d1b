/// The tree of this process: its nodes, links, local wafers and the door for the others, and the threads they run in.
#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "host/swarmx/door.hpp"
#include "host/swarmx/hub.hpp"
#include "host/swarmx/swarm.hpp"
#include "host/swarmx/tree.hpp"
#include "host/swarmx/waiting.hpp"
#include "host/swarmx/wire.hpp"
#include "sw/base/failure.hpp"

namespace weft {

class Network {
 public:
  /// Makes all links; nothing runs yet. `up` takes the root's sums, in the network's thread. All must outlive this, and
  /// `run`'s `wake` must call ours. Throws std::invalid_argument, and boost::system::system_error if there are too few
  /// descriptors.
  Network(const Plan& plan, const SwarmOptions& options, FirstFailure& run, Hub::Up up);
  ~Network() { end(); }

  /// Starts the threads. Throws std::system_error if there are too few.
  void start();
  /// Returns when all wafers are here. Throws the run's failure.
  void wait_for_all();
  asio::any_io_executor executor() { return io_.get_executor(); }
  Hub& root() { return *hubs_.front(); }
  /// The run has failed: nothing moves any more.
  void wake() noexcept;
  /// Stops the wafers and waits until all threads have ended: after a failure, until the wafers have ended what they
  /// are at.
  void end() noexcept;

  /// Of the door; 0 for a local wafer.
  std::uint16_t port(int wafer) const {
    return door_ && wafer >= options_.local_wafers ? door_->port() : std::uint16_t{0};
  }
  const std::string& parent(int wafer) const { return parents_.at(static_cast<std::size_t>(wafer))->name(); }

 private:
  struct Place {  // of a wafer that is to come
    Hub* hub;
    std::size_t child;
  };
  void build(const TreeNode& node, std::shared_ptr<Hub> hub);
  void close() noexcept;

  const Plan& plan_;
  const SwarmOptions& options_;
  FirstFailure& run_;
  asio::io_context io_{1};
  asio::executor_work_guard<asio::io_context::executor_type> guard_{io_.get_executor()};
  std::vector<std::shared_ptr<Hub>> hubs_;    // the root's first
  std::vector<const Hub*> parents_;           // [wafer]
  std::vector<std::unique_ptr<Wire>> wires_;  // [local wafer]
  std::vector<Place> remote_;
  std::shared_ptr<Door> door_;
  Waiting joining_;
  bool joined_ = true;
  std::vector<std::jthread> wafers_;
  std::jthread thread_;
};

}  // namespace weft
