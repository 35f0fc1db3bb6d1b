#include "host/swarmx/members/member_session.hpp"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <utility>

#include "host/swarmx/base/error.hpp"
#include "host/swarmx/members/member_parent.hpp"
#include "host/swarmx/members/member_thread.hpp"
#include "host/swarmx/protocol/error_frame.hpp"
#include "sw/base/failure.hpp"
#include "sw/base/refusal.hpp"

namespace weft::swarmx {
namespace {

using namespace std::chrono_literals;

/// One connection, from joining to its end. Frames are passed through unchanged; `work` has a thread of its own,
/// everything else runs in the network's thread.
class MemberSession {
 public:
  MemberSession(const JoinOptions& options, const MemberRole& member) : options_(options), member_(member) {}
  ~MemberSession() { close(); }

  enum class End : std::uint8_t { Stopped, Left, Lost };
  /// Throws what `run_member_session` throws.
  End run() {
    asio::co_spawn(io_, session(), [this](std::exception_ptr failure) noexcept {
      network_.set(std::move(failure));
      io_.stop();
    });
    if (options_.leave || member_.leave_request) asio::co_spawn(io_, watch(), network_.ending());
    network_.guard([this] { io_.run(); });
    close();
    thread_.end();
    thread_.failure().check();
    const End end = outcome();
    try {
      network_.check();
    } catch (const SwarmError&) {
      if (end == End::Lost && !parent_.was_found()) {
        if (!leave_request()) throw;
        return End::Left;  // there is no root to tell
      }
    }
    return end == End::Lost && leave_requested_ ? End::Left : end;
  }
  /// Returns why the connection was lost.
  std::string why() const {
    try {
      network_.check();
    } catch (const std::exception& error) {
      return one_line(error.what());
    }
    return {};
  }

 private:
  End outcome() const { return parent_.stopped() ? End::Stopped : left_ ? End::Left : End::Lost; }

  /// Reports a failure of this thread to the root, if there is one, as the serving thread reports its own.
  asio::awaitable<void> session() {
    std::exception_ptr own;
    try {
      co_await converse();
    } catch (const SwarmError&) {
      throw;
    } catch (...) {
      if (!parent_.was_found()) throw;
      own = std::current_exception();
    }
    if (!own) co_return;
    thread_.failure().set(own);
    co_await parent_.send(member_.last_words(own));
    for (;;) co_await parent_.read();
  }

  asio::awaitable<void> converse() {
    std::optional<compiler::Plan> plan = co_await parent_.join();
    if (!plan) co_return;
    thread_.start(std::move(*plan));
    asio::co_spawn(io_, pass_up(), network_.ending());
    if (thread_.watched()) asio::co_spawn(io_, look_after(), network_.ending());
    if (thread_.has_activity()) asio::co_spawn(io_, report_load(), network_.ending());
    co_await pass_down();
  }

  /// Forwards frames of the serving thread until it has ended.
  asio::awaitable<void> pass_up() {
    try {
      for (;;) co_await parent_.send(co_await thread_.read());
    } catch (const PeerLost&) {
    }
  }
  /// Forwards frames to the serving thread until Stop, or until the root is gone. A thread that has failed takes no
  /// more of them; its last words tell the root why.
  asio::awaitable<void> pass_down() {
    for (bool takes = true; !parent_.stopped();) {
      const Frame frame = co_await parent_.read();
      try {
        if (takes) co_await thread_.send(frame);
      } catch (const PeerLost&) {
        takes = false;
      }
    }
  }
  /// Waits until the serving thread has hung, reports that to the root, and ends the session.
  asio::awaitable<void> look_after() {
    co_await thread_.wait_for_hang();
    co_await parent_.send(hang_frame(thread_.hang_text()));
    asio::steady_timer timer(io_);
    timer.expires_after(options_.silence / 6);  // time to send the frame
    co_await timer.async_wait(asio::use_awaitable);
    io_.stop();
  }
  /// Reports to the parent, every half second or with the heartbeats, how busy the working thread was and whether the
  /// process ran at all.
  asio::awaitable<void> report_load() {
    using Clock = std::chrono::steady_clock;
    const auto most = std::min<std::chrono::milliseconds>(500ms, options_.silence / 6);
    const auto interval = most / kSamples;
    asio::steady_timer timer(io_);
    for (Clock::duration busy{};;) {
      const Clock::time_point begin = Clock::now();
      std::uint32_t samples = 0;
      for (Clock::time_point last = begin; last - begin < most; ++samples) {
        timer.expires_after(interval);
        co_await timer.async_wait(asio::use_awaitable);
        const Clock::time_point before = std::exchange(last, Clock::now());
        if (thread_.busy()) busy += last - before;
      }
      const std::chrono::duration<double> took = Clock::now() - begin;
      const double ran = std::min(1.0, samples * std::chrono::duration<double>(interval).count() / took.count());
      const auto all = std::chrono::duration_cast<std::chrono::milliseconds>(busy).count();
      parent_.report({.busy = static_cast<std::uint32_t>(all), .ran = static_cast<std::uint32_t>(1000 * ran)});
    }
  }
  /// Polls until this member leaves. Once it is asked to leave, and its thread has started, tells the root instead and
  /// returns.
  asio::awaitable<void> watch() {
    asio::steady_timer timer(io_);
    for (std::optional<Frame> word; !left_;) {
      if (thread_.started() && (word = leave_request())) {
        leave_requested_ = true;
        co_return co_await parent_.send(*std::move(word));
      }
      timer.expires_after(100ms);
      co_await timer.async_wait(asio::use_awaitable);
      left_ = options_.leave && options_.leave();
    }
    io_.stop();
  }
  std::optional<Frame> leave_request() const { return member_.leave_request ? member_.leave_request() : std::nullopt; }
  void close() noexcept {
    parent_.close();
    thread_.close();
  }

  static constexpr int kSamples = 10;  // in a report

  const JoinOptions& options_;
  const MemberRole& member_;
  FirstFailure network_;
  asio::io_context io_{1};
  MemberParent parent_{io_, network_, options_, member_};
  bool leave_requested_ = false;                 // the root was notified that this member was asked to leave
  bool left_ = false;                            // this member leaves
  MemberThread thread_{io_, options_, member_};  // last: it uses the others
};

}  // namespace

void run_member_session(const JoinOptions& options, const MemberRole& member) {
  for (;;) {
    MemberSession session(options, member);
    if (session.run() != MemberSession::End::Lost) return;
    if (options.say) options.say(session.why() + " Trying again.");
  }
}

}  // namespace weft::swarmx
