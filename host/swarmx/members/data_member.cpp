#include "host/swarmx/members/data_member.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

#include "host/swarmx/auth/connect.hpp"
#include "host/swarmx/auth/sockets.hpp"
#include "host/swarmx/base/error.hpp"
#include "host/swarmx/base/reconnect_backoff.hpp"
#include "host/swarmx/link/frame_queue.hpp"
#include "host/swarmx/link/link.hpp"
#include "host/swarmx/protocol/pass_returns.hpp"
#include "host/swarmx/protocol/payload.hpp"
#include "sw/base/failure.hpp"
#include "sw/base/refusal.hpp"

namespace weft::swarmx {
namespace {

/// One connection to the root, from joining to its end.
class Session {
 public:
  explicit Session(const DataMemberOptions& options) : options_(options), join_(options.join) {}

  /// Returns whether the run is over for this process.
  bool run() {
    asio::co_spawn(io_, session(), [this](std::exception_ptr failure) noexcept {
      failure_.set(std::move(failure));
      io_.stop();
    });
    if (join_.leave) asio::co_spawn(io_, watch(), failure_.ending());
    failure_.guard([this] { io_.run(); });
    try {
      failure_.check();
    } catch (const SwarmError& error) {
      if (!connected_) throw;
      why_ = one_line(error.what());
    }
    return over_;
  }
  const std::string& why() const { return why_; }
  /// True if the root has sent this process away, with a reason.
  bool sent_away() const { return sent_away_; }

 private:
  asio::awaitable<void> session() {
    Hello hello{.version = kSwarmVersion,
                .plan = join_.digest,
                .job = join_.job,
                .build = join_.build,
                .role = "data",
                .name = options_.name};
    auto joining = connect_to_one_of(join_.address, join_.ports(), join_.credentials, std::move(hello), join_.timeout);
    Joined joined = co_await std::move(joining);
    connected_ = true;
    if (join_.say) join_.say("data has joined " + address_text(join_.address, joined.port));
    const auto root = std::make_shared<Link>(std::move(joined.channel), "MemoryX", join_.silence);
    const auto queue = std::make_shared<FrameQueue>(io_.get_executor(), kQueueFrames);
    asio::co_spawn(io_, write_all(root, queue), failure_.ending());
    for (;;) {
      const Frame frame = co_await root->read();
      over_ = frame.type == FrameType::Stop;
      if (over_) co_return;
      sent_away_ = frame.type == FrameType::Error;
      if (sent_away_) throw_error(frame.bytes(), root->peer());
      if (frame.type != FrameType::Batch) broken(root->peer(), "requests something other than a micro-batch");
      const auto position = decode_numbers<std::uint64_t>(frame.bytes());
      if (position.size() != 1) broken(root->peer(), "requests a micro-batch without a position");
      const BatchRequest request{.step = frame.step, .micro_batch = frame.op, .position = position[0]};
      for (Frame& part : batch_parts(options_.get(request), frame.op)) {
        part.step = frame.step;
        co_await push_frame(queue, std::move(part));
      }
    }
  }
  asio::awaitable<void> watch() {
    asio::steady_timer timer(io_);
    while (!join_.leave()) {
      timer.expires_after(std::chrono::milliseconds(100));
      co_await timer.async_wait(asio::use_awaitable);
    }
    over_ = true;
    io_.stop();
  }

  const DataMemberOptions& options_;
  const JoinOptions& join_;
  FirstFailure failure_;
  asio::io_context io_{1};
  bool connected_ = false, over_ = false, sent_away_ = false;
  std::string why_;
};

}  // namespace

void run_data_member(const DataMemberOptions& options) {
  for (Backoff backoff;;) {
    const auto begin = Backoff::Clock::now();
    Session session(options);
    if (session.run()) return;
    if (options.join.say) options.join.say(session.why() + " Trying again.");
    // Only an Error delays the next attempt: a root that restarts with other masks merely closes the connection, and
    // may be at its last step.
    if (session.sent_away() && backoff.wait(Backoff::Clock::now() - begin, options.join.leave)) return;
  }
}

}  // namespace weft::swarmx
