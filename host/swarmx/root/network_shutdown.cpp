/// End of the root's network. A process that is reconnecting, since its link was cut or the previous swarm gave way,
/// would find no root and end with an error: therefore the root stays for a moment and sends it Stop.
#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

#include "host/swarmx/base/error.hpp"
#include "host/swarmx/root/network.hpp"

namespace weft::swarmx {
namespace {

using namespace std::chrono_literals;
using WallClock = std::chrono::system_clock;

constexpr auto kLateLook = 20ms;

}  // namespace

void Network::end() noexcept {
  if (thread_.joinable()) {
    if (!run_.happened()) {
      run_.guard([this] {
        asio::post(io_, [this] {
          stopping_ = true;
          stalls_.stop();
          set_late_deadlines();
          for (const auto& queue : on_their_way_)
            queue->try_send(boost::system::error_code(), Frame{.type = FrameType::Stop});
        });
        asio::co_spawn(io_, root().down({.type = FrameType::Stop}), run_.ending());
        asio::co_spawn(io_, data_.stop(), run_.ending());
        if (listener_) asio::co_spawn(io_, wait_for_late_members(), run_.ending());
      });
    } else {
      io_.stop();
    }
    guard_.reset();
    thread_.join();
  }
  close();
  wafers_.clear();
}

/// Sets until when each missing member is waited for.
void Network::set_late_deadlines() {
  for (const std::string& name : options_.coming)
    late_[name] = begin_ + std::min<WallClock::duration>(options_.coming_for, options_.timeout);
  for (const Members* members : {&members_, &readers_, &node_members_}) {
    for (const Members::Member& member : members->all()) {
      const RankStatus& status = member.status;
      if (status.state == RankStatus::State::NotYet) continue;
      late_.erase(status.name);
      if (status.state == RankStatus::State::Lost) late_[status.name] = status.since + options_.back_for;
    }
  }
}

/// Waits for missing members, with a limit by the steady clock: the system's clock may be set meanwhile.
asio::awaitable<void> Network::wait_for_late_members() {
  asio::steady_timer timer(io_);
  const auto most = std::chrono::steady_clock::now() + std::max(options_.coming_for, options_.back_for);
  const auto waits = [this](const auto& late) { return late.second > WallClock::now(); };
  while (std::chrono::steady_clock::now() < most && std::ranges::any_of(late_, waits)) {
    timer.expires_after(kLateLook);
    co_await timer.async_wait(asio::use_awaitable);
  }
  listener_->close();
}

/// Sends Stop to a member that has joined after the end of the run.
void Network::stop_late_member(const std::string& name, std::unique_ptr<Channel> channel) {
  late_.erase(name);
  asio::co_spawn(io_, send_stop(Link(std::move(channel), name, options_.silence)), run_.ending());
}

/// Sends Stop, and waits until the peer has closed the connection.
asio::awaitable<void> Network::send_stop(Link link) {
  try {
    co_await link.write({.type = FrameType::Stop});
    for (;;) co_await link.read();
  } catch (const SwarmError&) {
  }
}

void Network::close() noexcept {
  if (listener_) listener_->close();
  root_->close();
  data_.close();
  for (const std::shared_ptr<NodeIo>& node : nodes_) node->close();
}

}  // namespace weft::swarmx
