#include "host/swarmx/member_session.hpp"

#include <pthread.h>

#include <algorithm>
#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/local/connect_pair.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <optional>
#include <semaphore>
#include <utility>

#include "host/swarmx/auth/connect.hpp"
#include "host/swarmx/error.hpp"
#include "host/swarmx/frame_queue.hpp"
#include "host/swarmx/link.hpp"
#include "host/swarmx/payload.hpp"
#include "host/swarmx/plan_frames.hpp"
#include "host/swarmx/round_returns.hpp"
#include "sw/base/failure.hpp"
#include "sw/base/refusal.hpp"

namespace weft {
namespace {

using namespace std::chrono_literals;
using Local = asio::local::stream_protocol::socket;

/// From one connection to its end. Frames go through as they are; who serves has a thread, all else another.
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
    if (options_.leave) asio::co_spawn(io_, watch(), network_.ending());
    network_.guard([this] { io_.run(); });
    close();
    end_serving();
    served_.check();
    try {
      network_.check();
    } catch (const SwarmError&) {
      if (end_ == End::Lost && !connected_) throw;
    }
    return asks_ && end_ == End::Lost ? End::Left : end_;
  }
  /// Why it was lost.
  std::string why() const {
    try {
      network_.check();
    } catch (const std::exception& error) {
      return one_line(error.what());
    }
    return {};
  }

 private:
  /// What goes wrong here, as in the thread that serves, the root hears, if it is there.
  asio::awaitable<void> session() {
    std::exception_ptr own;
    try {
      co_await converse();
    } catch (const SwarmError&) {
      throw;
    } catch (...) {
      if (!parent_) throw;
      own = std::current_exception();
    }
    if (!own) co_return;
    served_.set(own);
    co_await up_->async_send({}, member_.last_words(own), asio::as_tuple(asio::use_awaitable));
    for (;;) co_await parent_->read();
  }

  asio::awaitable<void> converse() {
    auto channel =
        co_await connect_to(options_.address, options_.port, options_.credentials, greeting(), options_.timeout);
    connected_ = true;
    has_parent(std::move(channel), kRoot);
    PlanReader reader;
    std::string where = options_.address + ":" + std::to_string(options_.port);
    for (bool first = true; !plan_; first = false) {
      const Frame frame = co_await parent_->read();
      if (frame.type == FrameType::Stop) end_ = End::Stopped;  // there was nothing to do
      if (end_ == End::Stopped) co_return;
      if (first && frame.type == FrameType::Redirect && parent_->peer() == kRoot) {
        where = co_await go_on(frame);
      } else {
        plan_ = reader.take(frame, parent_->peer());
      }
    }
    if (options_.say) options_.say(member_.name + " has joined " + where);
    start_serving();
    asio::co_spawn(io_, pass_up(up_), network_.ending());
    if (still_) asio::co_spawn(io_, look_after(), network_.ending());
    co_await pass_down();
  }

  Greeting greeting() const {
    return {.version = kSwarmVersion,
            .plan = options_.digest,
            .job = options_.job,
            .build = options_.build,
            .role = member_.role,
            .name = member_.name};
  }
  void has_parent(std::unique_ptr<Channel> channel, std::string name) {
    parent_ = std::make_shared<Link>(std::move(channel), std::move(name), options_.silence);
    up_ = std::make_shared<FrameQueue>(io_.get_executor(), kQueueFrames);
    asio::co_spawn(io_, write_all(parent_, up_), network_.ending());
  }
  /// The root has said where: who listens there is the parent from now on. Where that is.
  asio::awaitable<std::string> go_on(Frame redirect) {
    const std::string address = decode_text(redirect.bytes());
    const std::string where = address + ":" + std::to_string(redirect.part);
    if (redirect.part == 0 || redirect.part > 65535) broken(kRoot, "sends us to " + where);
    const std::shared_ptr<Link> root = parent_;
    const std::shared_ptr<FrameQueue> alive = up_;
    asio::co_spawn(io_, hear(root), network_.ending());
    auto channel = co_await connect_to(address, static_cast<std::uint16_t>(redirect.part), options_.credentials,
                                       greeting(), std::min(options_.silence, options_.timeout));
    has_parent(std::move(channel), member_.next + " at " + where);
    shut(*alive);
    root->close();
    if (!member_.seated) co_return where;
    Frame came{.type = FrameType::Came};
    co_await up_->async_send({}, came.carry(encode_seats(std::array{redirect.op})), asio::use_awaitable);
    co_return where;
  }

  /// On the way to whoever is to be the parent: that the run is over, or that the root is gone, who is there knows
  /// later than the root, or not at all.
  asio::awaitable<void> hear(std::shared_ptr<Link> root) {
    try {
      while ((co_await root->read()).type != FrameType::Stop) {
      }
      end_ = End::Stopped;
    } catch (const SwarmError&) {
      if (parent_ != root) co_return;  // it is we who have left
      network_.set(std::current_exception());
    }
    io_.stop();
  }

  void start_serving() {
    Local near(io_), far(io_);
    asio::local::connect_pair(near, far);
    for (Local* side : {&near, &far}) few_headers(side->native_handle());
    const Hands hands = Hands::make();
    local_ = std::make_shared<Link>(plain_channel(Socket(std::move(near))), member_.name, std::chrono::milliseconds{},
                                    hands);
    wire_ = std::make_unique<Wire>(far.release(), kRoot, hands.other(), member_.pulse);
    if (member_.pulse != nullptr) member_.pulse->begin();
    serving_ = guarded_thread(served_, [this] {
      work();
      ended_.release();
    });
    if (member_.pulse != nullptr && options_.stands_still) still_.emplace(*member_.pulse, 6 * Link::kPatience);
  }
  /// The thread's: what it throws is its last word.
  void work() {
    ::pthread_setname_np(::pthread_self(), member_.name.substr(0, 15).c_str());  // for who looks at it from outside
    try {
      member_.serve(*plan_, *wire_);
    } catch (const PeerLost&) {  // by us: the session is at its end
    } catch (...) {
      served_.set(std::current_exception());
      served_.guard([&] { wire_->write(member_.last_words(std::current_exception())); });
    }
    wire_.reset();
  }

  /// Until the thread has ended.
  asio::awaitable<void> pass_up(std::shared_ptr<FrameQueue> up) {
    try {
      for (;;) {
        Frame frame = co_await local_->read();
        co_await up->async_send({}, std::move(frame), asio::as_tuple(asio::use_awaitable));
      }
    } catch (const PeerLost&) {
    }
  }
  /// Until Stop, or until the root is gone. Who has failed takes nothing more, and the root hears why.
  asio::awaitable<void> pass_down() {
    for (bool takes = true;;) {
      const Frame frame = co_await parent_->read();
      if (frame.type == FrameType::Stop) end_ = End::Stopped;
      try {
        if (member_.pulse != nullptr) member_.pulse->give();
        if (takes) co_await local_->write(frame);
      } catch (const PeerLost&) {
        takes = false;
      }
      if (end_ == End::Stopped) co_return;
    }
  }
  /// Until the thread stands still: the root hears that, and the session ends.
  asio::awaitable<void> look_after() {
    asio::steady_timer timer(io_);
    do {
      timer.expires_after(options_.silence / 6);
      co_await timer.async_wait(asio::use_awaitable);
    } while (!still_->look());
    stands_ = true;
    co_await up_->async_send({}, error_frame(ErrorKind::Swarm, how_it_stands()), asio::as_tuple(asio::use_awaitable));
    timer.expires_after(options_.silence / 6);  // to be sent
    co_await timer.async_wait(asio::use_awaitable);
    io_.stop();
  }
  std::string how_it_stands() const {
    return member_.name + " has stood still for " + seconds(Link::kPatience * options_.silence) +
           ": the thread that computes has got on with nothing. HINT: look in its log and at its machine (a disk that "
           "is gone, a debugger); another is to be started in its place.";
  }
  /// Waits for the thread. One that stands still is not waited for, as far as it is up to us.
  void end_serving() {
    if (still_) {
      while (!stands_ && !ended_.try_acquire_for(options_.silence / 6)) stands_ = still_->look();
      if (stands_) options_.stands_still(how_it_stands());
    }
    serving_ = {};
  }
  asio::awaitable<void> watch() {
    asio::steady_timer timer(io_);
    while (!options_.leave()) {
      timer.expires_after(100ms);
      co_await timer.async_wait(asio::use_awaitable);
    }
    if (member_.leaves && local_) {
      asks_ = true;
      co_await up_->async_send({}, member_.leaves(), asio::as_tuple(asio::use_awaitable));
      co_return;
    }
    end_ = End::Left;
    io_.stop();
  }
  void close() noexcept {
    if (parent_) parent_->close();
    if (local_) local_->close();
  }

  const JoinOptions& options_;
  const MemberRole& member_;
  FirstFailure network_, served_;
  std::optional<Plan> plan_;
  asio::io_context io_{1};
  std::shared_ptr<Link> parent_, local_;
  std::shared_ptr<FrameQueue> up_;  // to the parent
  std::unique_ptr<Wire> wire_;
  std::optional<StillWatch> still_;  // nothing: nobody looks
  bool stands_ = false;
  std::binary_semaphore ended_{0};  // the thread has
  bool connected_ = false;
  bool asks_ = false;  // the root was told that this leaves
  End end_ = End::Lost;
  std::jthread serving_;  // last: it uses the others
};

}  // namespace

void run_member_session(const JoinOptions& options, const MemberRole& member) {
  for (;;) {
    MemberSession session(options, member);
    if (session.run() != MemberSession::End::Lost) return;
    if (options.say) options.say(session.why() + " Trying again.");
  }
}

}  // namespace weft
