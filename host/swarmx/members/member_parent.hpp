/// Parent of a member in another process: the root, or the peer to which the root has redirected the member.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <memory>
#include <optional>
#include <string>

#include "host/swarmx/auth/hello.hpp"
#include "host/swarmx/auth/join.hpp"
#include "host/swarmx/link/frame_queue.hpp"
#include "host/swarmx/link/link.hpp"
#include "host/swarmx/members/member_role.hpp"
#include "sw/base/failure.hpp"
#include "sw/compiler/plan/plan.hpp"

namespace weft::swarmx {

/// Belongs to the network's thread, whose failure is `network`.
class MemberParent {
 public:
  MemberParent(asio::io_context& io, FirstFailure& network, const JoinOptions& options, const MemberRole& member)
      : io_(io), network_(network), options_(options), member_(member) {}

  /// Connects to the root, follows a Redirect, and receives the plan; nothing: the root has sent Stop. Throws as
  /// connect_to and Link::read, and CorruptFrame.
  asio::awaitable<std::optional<compiler::Plan>> join();
  /// Returns the next frame. Throws as Link::read.
  asio::awaitable<Frame> read();
  /// Sends a frame, unless the parent is gone.
  asio::awaitable<void> send(Frame frame);
  /// Sends a heartbeat with what this member reports of itself, if there is room.
  void report(const Load& load);
  void close() noexcept;

  /// True if there is a parent, or was one.
  bool was_found() const { return link_ != nullptr; }
  /// True if the root has sent Stop.
  bool stopped() const { return stopped_; }

 private:
  Hello hello() const;
  void set_link(std::unique_ptr<Channel> channel, std::string name);
  asio::awaitable<std::string> follow_redirect(Frame redirect);
  asio::awaitable<void> watch_root(std::shared_ptr<Link> root);

  asio::io_context& io_;
  FirstFailure& network_;
  const JoinOptions& options_;
  const MemberRole& member_;
  std::shared_ptr<Link> link_;
  std::shared_ptr<FrameQueue> up_;  // to the parent
  bool stopped_ = false;
};

}  // namespace weft::swarmx
