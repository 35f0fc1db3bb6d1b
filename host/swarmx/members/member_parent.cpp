#include "host/swarmx/members/member_parent.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/asio/co_spawn.hpp>
#include <utility>

#include "host/swarmx/auth/connect.hpp"
#include "host/swarmx/auth/sockets.hpp"
#include "host/swarmx/base/error.hpp"
#include "host/swarmx/protocol/pass_returns.hpp"
#include "host/swarmx/protocol/payload.hpp"
#include "host/swarmx/protocol/plan_frames.hpp"

namespace weft::swarmx {

asio::awaitable<std::optional<compiler::Plan>> MemberParent::join() {
  auto joining = connect_to_one_of(options_.address, options_.ports(), options_.credentials, hello(), options_.timeout);
  Joined joined = co_await std::move(joining);
  set_link(std::move(joined.channel), kRootName);
  PlanReader reader;
  std::optional<compiler::Plan> plan;
  std::string where = address_text(options_.address, joined.port);
  for (bool first = true; !plan; first = false) {
    const Frame frame = co_await read();
    if (stopped_) co_return std::nullopt;  // the root had nothing to do
    if (first && frame.type == FrameType::Redirect && link_->peer() == kRootName) {
      where = co_await follow_redirect(frame);
    } else {
      plan = reader.add(frame, link_->peer());
    }
  }
  if (options_.say) options_.say(member_.name + " has joined " + where);
  co_return plan;
}

asio::awaitable<Frame> MemberParent::read() {
  Frame frame = co_await link_->read();
  if (frame.type == FrameType::Stop) stopped_ = true;
  co_return frame;
}

asio::awaitable<void> MemberParent::send(Frame frame) {
  co_await push_frame(up_, std::move(frame));  // the queue outlives this object if the session ends meanwhile
}

void MemberParent::report(const Load& load) {
  up_->try_send(boost::system::error_code(),
                Frame{.type = FrameType::Alive, .op = load.busy, .part = load.ran, .contains = 1});
}

void MemberParent::close() noexcept {
  if (link_) link_->close();
}

Hello MemberParent::hello() const {
  return {.version = kSwarmVersion,
          .plan = options_.digest,
          .job = options_.job,
          .build = options_.build,
          .role = member_.role,
          .name = member_.name};
}

void MemberParent::set_link(std::unique_ptr<Channel> channel, std::string name) {
  link_ = std::make_shared<Link>(std::move(channel), std::move(name), options_.silence);
  up_ = std::make_shared<FrameQueue>(io_.get_executor(), kQueueFrames);
  asio::co_spawn(io_, write_all(link_, up_), network_.ending());
}

/// Connects to the peer that the root has named, which is the parent from now on. Returns its address.
asio::awaitable<std::string> MemberParent::follow_redirect(Frame redirect) {
  const std::string address = decode_text(redirect.bytes());
  const std::string where = address_text(address, static_cast<std::uint16_t>(redirect.part));
  if (redirect.part == 0 || redirect.part > 65535)
    broken(kRootName, fmt::format("redirects this wafer to port {}", redirect.part));
  const std::shared_ptr<Link> root = link_;
  const std::shared_ptr<FrameQueue> alive = up_;
  asio::co_spawn(io_, watch_root(root), network_.ending());
  auto channel = co_await connect_to(address, static_cast<std::uint16_t>(redirect.part), options_.credentials, hello(),
                                     std::min(options_.silence, options_.timeout));
  set_link(std::move(channel), member_.next + " at " + where);
  shut(*alive);
  root->close();
  if (!member_.has_member_id) co_return where;
  Frame came{.type = FrameType::Came};
  co_await push_frame(up_, came.carry(encode_member_ids(std::array{redirect.op})));
  co_return where;
}

/// Reads from the root while a redirected member connects to its parent: that one learns later than the root, or never,
/// that the run is over or the root is gone.
asio::awaitable<void> MemberParent::watch_root(std::shared_ptr<Link> root) {
  try {
    while ((co_await root->read()).type != FrameType::Stop) {
    }
    stopped_ = true;
  } catch (const SwarmError&) {
    if (link_ != root) co_return;  // this side has closed it
    network_.set(std::current_exception());
  }
  io_.stop();
}

}  // namespace weft::swarmx
