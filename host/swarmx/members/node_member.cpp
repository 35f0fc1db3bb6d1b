#include "host/swarmx/members/node_member.hpp"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/udp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <optional>
#include <utility>

#include "host/memoryx/diverged.hpp"
#include "host/swarmx/auth/connect.hpp"
#include "host/swarmx/auth/listener.hpp"
#include "host/swarmx/auth/sockets.hpp"
#include "host/swarmx/base/error.hpp"
#include "host/swarmx/link/frame_queue.hpp"
#include "host/swarmx/link/link.hpp"
#include "host/swarmx/protocol/error_frame.hpp"
#include "host/swarmx/protocol/member_traffic.hpp"
#include "host/swarmx/protocol/pass_returns.hpp"
#include "host/swarmx/protocol/payload.hpp"
#include "host/swarmx/protocol/plan_frames.hpp"
#include "host/swarmx/tree/node_io.hpp"
#include "sw/base/failure.hpp"
#include "sw/base/refusal.hpp"

namespace weft::swarmx {
namespace {

using namespace std::chrono_literals;
using asio::ip::udp;

/// Returns the address from which this host reaches the other one. (Nothing is sent.)
std::string address_towards(asio::io_context& io, const std::string& host, std::uint16_t port) {
  udp::socket socket(io);
  asio::connect(socket, udp::resolver(io).resolve(host, std::to_string(port)));
  return socket.local_endpoint().address().to_string();
}

/// One connection to the root, from joining to its end. Runs in one thread.
class NodeSession {
 public:
  explicit NodeSession(const NodeMemberOptions& options)
      : join_(options.join), straggler_(options.straggler), name_(node_name(options.id)) {}
  ~NodeSession() { close(); }

  /// Returns whether the run is over for this process.
  bool run() {
    asio::co_spawn(io_, session(), [this](std::exception_ptr failure) noexcept {
      parent_failure_.set(std::move(failure));
      io_.stop();
    });
    if (join_.leave) asio::co_spawn(io_, watch(), parent_failure_.ending());
    parent_failure_.guard([this] { io_.run(); });
    close();
    try {
      failure_.check();
    } catch (const memoryx::Diverged& error) {  // the root may go back to its last checkpoint
      why_ = one_line(error.what());
      return over_;
    }
    try {
      parent_failure_.check();
    } catch (const SwarmError& error) {
      if (!connected_) throw;
      why_ = one_line(error.what());
    }
    return over_;
  }
  const std::string& why() const { return why_; }

 private:
  Hello hello(std::string role, std::string name) const {
    return {.version = kSwarmVersion,
            .plan = join_.digest,
            .job = join_.job,
            .build = join_.build,
            .role = std::move(role),
            .name = std::move(name)};
  }

  asio::awaitable<void> session() {
    auto joining =
        connect_to_one_of(join_.address, join_.ports(), join_.credentials, hello("node", name_), join_.timeout);
    Joined joined = co_await std::move(joining);
    connected_ = true;
    parent_ = std::make_shared<Link>(std::move(joined.channel), kRootName, join_.silence);
    up_ = std::make_shared<FrameQueue>(io_.get_executor(), kQueueFrames);
    asio::co_spawn(io_, write_all(parent_, up_), parent_failure_.ending());
    listen();
    co_await up({.type = FrameType::Listens, .part = listener_->port()});
    while (!plan_) {
      const Frame frame = co_await parent_->read();
      over_ = frame.type == FrameType::Stop;  // the root had nothing to do
      if (over_) co_return;
      plan_ = reader_.add(frame, kRootName);
    }
    say(name_ + " has joined " + address_text(join_.address, joined.port) + ", and listens at port " +
        std::to_string(listener_->port()));
    const auto lost = [this](const NodeIo::LostChild& wafer) {
      if (wafer.slow) hold_back_.disconnect(wafer.name, std::chrono::steady_clock::now());
      say(wafer.name + " is lost: " + wafer.why);
    };
    node_io_ = std::make_shared<NodeIo>(
        io_.get_executor(), failure_, *plan_, name_, [this](Frame frame) { return up(std::move(frame)); }, lost,
        NodeIo::Returned{}, NodeIoLimits{.judge = judge_options()});
    asio::co_spawn(io_, node_io_->judge_wafers(), parent_failure_.ending());
    asio::co_spawn(io_, listener_->open(), failure_.ending());
    if (parent_->heartbeat_interval() > 0ms) asio::co_spawn(io_, report_traffic(), parent_failure_.ending());
    co_await pass_down();
  }

  /// A node stops waiting for a wafer before the root, so that the root sees which of the node's wafers is late.
  DispatchOptions judge_options() const {
    return {.straggler = straggler_, .shortest = 500ms, .disconnect = Link::kPatience * join_.silence};
  }

  asio::awaitable<void> up(Frame frame) { co_await push_frame(up_, std::move(frame)); }

  /// Sends the traffic of the wafers to the root now and then, for `weft status`.
  asio::awaitable<void> report_traffic() {
    asio::steady_timer timer(io_);
    std::vector<MemberTraffic> sent;
    while (!over_) {
      timer.expires_after(std::min<std::chrono::milliseconds>(parent_->heartbeat_interval(), 1s));
      co_await timer.async_wait(asio::use_awaitable);
      const std::vector<MemberTraffic> now = node_io_->traffic();
      if (now == sent || over_ || failure_.happened()) continue;
      sent = now;
      co_await up(traffic_frame(now));
    }
  }

  /// Forwards frames until Stop has been sent to all, or until the root is gone.
  asio::awaitable<void> pass_down() {
    const std::shared_ptr<NodeIo> node_io = node_io_;  // outlives what waits in it
    while (!over_) {
      Frame frame = co_await parent_->read();
      over_ = frame.type == FrameType::Stop;
      if (!failure_.happened()) co_await node_io->down(std::move(frame));
    }
    listener_->close();
    asio::steady_timer timer(io_);
    while (node_io->open_children() + coming_ > 0 || !listener_->idle()) {  // silent peers time out
      timer.expires_after(10ms);
      co_await timer.async_wait(asio::use_awaitable);
    }
  }

  void listen() {
    Guests guests;
    guests.admit = [](const Hello& who) -> std::string {
      return who.role == "wafer" ? "" : "a " + who.role + " cannot join a node";
    };
    guests.arrived = [this](const Hello& who, std::unique_ptr<Channel> channel) {
      ++coming_;
      asio::co_spawn(io_, welcome(who.name, who.from, std::move(channel)), [this](std::exception_ptr failure) noexcept {
        --coming_;
        failure_.set(std::move(failure));
      });
    };
    guests.log = join_.say;
    listener_ =
        std::make_shared<Listener>(io_.get_executor(), failure_, join_.credentials, hello("", ""), std::move(guests),
                                   ListenerOptions{.address = address_towards(io_, join_.address, join_.port)});
  }

  /// Receives the wafer's member id and sends the plan. If the run is over sends Stop, as the root does not tell the
  /// wafer any more.
  asio::awaitable<void> welcome(std::string name, std::string host, std::unique_ptr<Channel> channel) {
    Link link(std::move(channel), name, join_.silence);
    std::uint32_t member_id = 0;
    try {
      const Frame first = co_await link.read();
      const bool came = first.type == FrameType::Came;
      const std::vector<std::uint32_t> member_ids =
          came ? decode_member_ids(first.bytes()) : std::vector<std::uint32_t>();
      if (member_ids.size() != 1) broken(name, "does not begin with its member id");
      member_id = member_ids.front();
      const auto held = [&] { return hold_back_.holds(name, std::chrono::steady_clock::now()) && !over_; };
      if (!co_await link.wait_while(held)) co_return;
      for (const Frame& frame : plan_frames(reader_.encoded(), member_id)) {
        if (over_) break;
        co_await link.write(frame);
      }
      if (over_) co_await link.write({.type = FrameType::Stop});
      while (over_) co_await link.read();  // until it has closed the connection
    } catch (const SwarmError& error) {
      if (!over_) say(name + " did not join: " + one_line(error.what()));
      co_return;
    }
    say(name + " has joined");
    co_await node_io_->admit_wafer(std::move(name), std::move(host), member_id, std::move(link));
  }

  /// Reports a failure that ends the run to the root, which closes the connection.
  void report_failure() noexcept {
    parent_failure_.guard([this] {
      try {
        failure_.check();
      } catch (...) {
        asio::co_spawn(io_, up(error_frame_of_caught(name_)), parent_failure_.ending());
      }
    });
  }

  asio::awaitable<void> watch() {
    asio::steady_timer timer(io_);
    while (!join_.leave()) {
      timer.expires_after(100ms);
      co_await timer.async_wait(asio::use_awaitable);
    }
    over_ = true;
    io_.stop();
  }
  void say(const std::string& line) const {
    if (join_.say) join_.say(line);
  }
  void close() noexcept {
    if (listener_) listener_->close();
    if (node_io_) node_io_->close();
    if (parent_) parent_->close();
  }

  const JoinOptions& join_;
  double straggler_;
  std::string name_;
  FirstFailure parent_failure_;
  FirstFailure failure_{[this] { report_failure(); }};  // failure of this node or below it
  PlanReader reader_;
  std::optional<compiler::Plan> plan_;
  asio::io_context io_{1};
  std::shared_ptr<Link> parent_;
  std::shared_ptr<FrameQueue> up_;
  std::shared_ptr<Listener> listener_;
  std::shared_ptr<NodeIo> node_io_;
  HoldBack hold_back_;      // wafers that were disconnected
  std::size_t coming_ = 0;  // wafers that were let in and are not the NodeIo's yet
  bool connected_ = false, over_ = false;
  std::string why_;
};

}  // namespace

std::string node_name(int id) { return "node " + std::to_string(id); }

void run_node_member(const NodeMemberOptions& options) {
  for (;;) {
    NodeSession session(options);
    if (session.run()) return;
    if (options.join.say) options.join.say(session.why() + " Trying again.");
  }
}

}  // namespace weft::swarmx
