/// The children's side of a node: every frame goes down to all of them, what they send comes up as one.
///
/// Runs on one thread's io_context. Each child has a short queue; `down` waits while any of them is full, so the
/// slowest child sets the pace and memory is bounded. What goes wrong ends the run.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "host/swarmx/frame.hpp"
#include "host/swarmx/frame_queue.hpp"
#include "host/swarmx/link.hpp"
#include "host/swarmx/reducer.hpp"
#include "host/swarmx/tree.hpp"
#include "sw/base/failure.hpp"

namespace weft {

class Hub : public std::enable_shared_from_this<Hub> {
 public:
  /// Takes sums of the children's contributions.
  using Up = std::function<asio::awaitable<void>(Frame)>;

  /// `run` must outlive the executor.
  Hub(asio::any_io_executor executor, FirstFailure& run, const Plan& plan, const TreeNode& node, std::string name,
      Up up);

  /// A child's connection; it is read and written from now on.
  void adopt(std::size_t child, Link link);
  /// Queues a frame for every child; returns when all had room. After Stop, children may leave. A child that is gone is
  /// skipped: that ends the run anyway. All children must have been adopted.
  asio::awaitable<void> down(Frame frame);
  /// Closes all connections: leaves wake from whatever they wait for.
  void close() noexcept;

  const std::string& name() const { return name_; }

 private:
  struct Child {
    std::string name;
    std::shared_ptr<Link> link;
    std::shared_ptr<FrameQueue> queue;
  };
  static asio::awaitable<void> read(std::shared_ptr<Hub> self, std::size_t child);
  asio::awaitable<void> take(std::size_t child);

  asio::any_io_executor executor_;
  FirstFailure& run_;
  std::string name_;
  Up up_;
  std::vector<Child> children_;
  Reducer reducer_;
  bool stopped_ = false;  // Stop went down: nothing that ends is an error any more
};

}  // namespace weft
