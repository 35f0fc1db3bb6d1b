/// The thread in which a member of another process does its work, and its progress watchdog.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <memory>
#include <optional>
#include <semaphore>
#include <string>
#include <thread>

#include "host/swarmx/auth/join.hpp"
#include "host/swarmx/base/progress_watchdog.hpp"
#include "host/swarmx/link/link.hpp"
#include "host/swarmx/link/wire.hpp"
#include "host/swarmx/members/member_role.hpp"
#include "sw/base/failure.hpp"
#include "sw/compiler/plan/plan.hpp"

namespace weft::swarmx {

/// Belongs to the network's thread; the worker thread has the far end of a link.
class MemberThread {
 public:
  MemberThread(asio::io_context& io, const JoinOptions& options, const MemberRole& member)
      : io_(io), options_(options), member_(member) {}

  /// Starts the thread. Throws std::system_error and boost::system::system_error.
  void start(compiler::Plan plan);
  bool started() const { return link_ != nullptr; }
  /// True if the thread's activity is known.
  bool has_activity() const { return member_.watchdog != nullptr; }
  /// True while the thread has work to do, and does not wait for its parent.
  bool busy() const { return member_.watchdog->pending(); }
  /// True if there is a watchdog that ends a thread that hangs.
  bool watched() const { return monitor_.has_value(); }

  /// Returns the thread's next frame. Throws PeerLost when the thread has ended, as does send().
  asio::awaitable<Frame> read();
  asio::awaitable<void> send(const Frame& frame);
  /// Returns when the thread has hung.
  asio::awaitable<void> wait_for_hang();
  /// Describes the hang, for a message.
  std::string hang_text() const;

  void close() noexcept;
  /// Waits for the thread, whose link must be closed. If the thread has hung, first calls `options.on_hang`, which
  /// should end the process.
  void end();
  /// Exception of the thread.
  FirstFailure& failure() { return failure_; }

 private:
  void work();

  asio::io_context& io_;
  const JoinOptions& options_;
  const MemberRole& member_;
  FirstFailure failure_;
  std::optional<compiler::Plan> plan_;
  std::shared_ptr<Link> link_;
  std::unique_ptr<Wire> wire_;
  std::optional<WatchdogMonitor> monitor_;  // nothing: no watchdog
  bool hung_ = false;
  std::binary_semaphore ended_{0};  // released when the thread has ended
  std::jthread thread_;             // last: it uses the others
};

}  // namespace weft::swarmx
