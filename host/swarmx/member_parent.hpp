/// Who is above a member of another process: the root, or who that has sent it to.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <memory>
#include <optional>
#include <string>

#include "host/swarmx/auth/greeting.hpp"
#include "host/swarmx/frame_queue.hpp"
#include "host/swarmx/link.hpp"
#include "host/swarmx/member_session.hpp"
#include "sw/base/failure.hpp"
#include "sw/compiler/plan.hpp"

namespace weft {

/// Of the network's thread, whose failure is `network`.
class MemberParent {
 public:
  MemberParent(asio::io_context& io, FirstFailure& network, const JoinOptions& options, const MemberRole& member)
      : io_(io), network_(network), options_(options), member_(member) {}

  /// Comes to the root, goes where that says, and gets the plan; nothing: the root has said Stop. Throws as
  /// connect_to and Link::read, and CorruptFrame.
  asio::awaitable<std::optional<Plan>> join();
  /// The next frame. Throws PeerLost.
  asio::awaitable<Frame> read();
  /// Sends a frame, if there is still somebody.
  asio::awaitable<void> tell(Frame frame);
  void close() noexcept;

  /// Somebody is there, or was.
  bool there() const { return link_ != nullptr; }
  /// The root has said Stop.
  bool stopped() const { return stopped_; }

 private:
  Greeting greeting() const;
  void has(std::unique_ptr<Channel> channel, std::string name);
  asio::awaitable<std::string> go_on(Frame redirect);
  asio::awaitable<void> hear(std::shared_ptr<Link> root);

  asio::io_context& io_;
  FirstFailure& network_;
  const JoinOptions& options_;
  const MemberRole& member_;
  std::shared_ptr<Link> link_;
  std::shared_ptr<FrameQueue> up_;  // to it
  bool stopped_ = false;
};

}  // namespace weft
