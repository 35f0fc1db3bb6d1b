/// The children's side of a node: every frame goes down to all of them, what they send comes up as one.
///
/// Runs on one thread's io_context. Each child has a short queue; `down` waits while any of them is full, so the
/// slowest child sets the pace and memory is bounded.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/experimental/channel.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/swarmx/frame.hpp"
#include "host/swarmx/link.hpp"
#include "host/swarmx/reducer.hpp"

namespace weft {

using FrameQueue = asio::experimental::channel<void(boost::system::error_code, Frame)>;
inline constexpr std::size_t kQueueFrames = 8;

/// No frame gets in any more; who waits for room goes on. (A channel's close() alone leaves those waiting.)
void shut(FrameQueue& queue);

/// Writes what comes into the queue until it is closed, Stop has been written or the peer is gone.
asio::awaitable<void> write_all(std::shared_ptr<Link> link, std::shared_ptr<FrameQueue> queue);

class Hub : public std::enable_shared_from_this<Hub> {
 public:
  /// Takes sums of the children's contributions and Error frames.
  using Up = std::function<asio::awaitable<void>(Frame)>;

  Hub(asio::any_io_executor executor, std::string name, std::vector<std::string> children, Up up);

  /// Waits until all children are connected and starts to read them. Throws SwarmError that names who is missing.
  asio::awaitable<void> accept(tcp::acceptor acceptor, std::chrono::seconds timeout);
  /// Queues a frame for every child; returns when all had room. After Stop, children may leave. A child that is gone is
  /// skipped: its Error frame is already on its way.
  asio::awaitable<void> down(Frame frame);
  /// Closes all connections.
  void close();

 private:
  struct Child {
    std::shared_ptr<Link> link;
    std::shared_ptr<FrameQueue> queue;
  };
  asio::awaitable<void> read(std::size_t child);
  std::string missing() const;

  asio::any_io_executor executor_;
  std::string name_;
  std::vector<std::string> names_;
  Up up_;
  std::vector<Child> children_;
  Reducer reducer_;
  bool closed_ = false;  // by us: nothing is an error any more
};

}  // namespace weft
