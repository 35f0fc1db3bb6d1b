/// The thread in which a member of another process does what it is there for, and whether that gets on.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <memory>
#include <optional>
#include <semaphore>
#include <string>
#include <thread>

#include "host/swarmx/link.hpp"
#include "host/swarmx/member_session.hpp"
#include "host/swarmx/pulse.hpp"
#include "host/swarmx/wire.hpp"
#include "sw/base/failure.hpp"
#include "sw/compiler/plan.hpp"

namespace weft {

/// Of the network's thread: the other one has the far end of a link.
class MemberThread {
 public:
  MemberThread(asio::io_context& io, const JoinOptions& options, const MemberRole& member)
      : io_(io), options_(options), member_(member) {}

  /// It begins. Throws std::system_error and boost::system::system_error.
  void start(Plan plan);
  bool started() const { return link_ != nullptr; }
  /// Whether somebody looks whether it gets on.
  bool looked_at() const { return still_.has_value(); }

  /// What it says next. Throws PeerLost when it has ended, as give().
  asio::awaitable<Frame> read();
  asio::awaitable<void> give(const Frame& frame);
  /// Returns when it stands still.
  asio::awaitable<void> stands();
  /// How it stands still, for who is told.
  std::string how() const;

  void close() noexcept;
  /// Waits for it, when its link is closed. One that stands still is not waited for, as far as it is up to us.
  void end();
  /// What it has thrown.
  FirstFailure& failure() { return failure_; }

 private:
  void work();

  asio::io_context& io_;
  const JoinOptions& options_;
  const MemberRole& member_;
  FirstFailure failure_;
  std::optional<Plan> plan_;
  std::shared_ptr<Link> link_;
  std::unique_ptr<Wire> wire_;
  std::optional<StillWatch> still_;  // nothing: nobody looks
  bool stands_ = false;
  std::binary_semaphore ended_{0};  // it has
  std::jthread thread_;             // last: it uses the others
};

}  // namespace weft
