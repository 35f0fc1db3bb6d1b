#include "host/swarmx/hub.hpp"

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

#include "host/swarmx/payload.hpp"

namespace weft {
namespace {

constexpr auto kResult = asio::as_tuple(asio::use_awaitable);

}  // namespace

void shut(FrameQueue& queue) {
  queue.close();
  queue.cancel();
}

asio::awaitable<void> write_all(std::shared_ptr<Link> link, std::shared_ptr<FrameQueue> queue) {
  try {
    for (;;) {
      auto [error, frame] = co_await queue->async_receive(kResult);
      if (error) break;
      co_await link->write(frame);
      if (frame.type == FrameType::Stop) break;
    }
  } catch (const SwarmError&) {  // whoever reads this link reports it
  }
  shut(*queue);
}

Hub::Hub(asio::any_io_executor executor, std::string name, std::vector<std::string> children, Up up)
    : executor_(std::move(executor)),
      name_(std::move(name)),
      names_(std::move(children)),
      up_(std::move(up)),
      children_(names_.size()),
      reducer_(names_) {}

asio::awaitable<void> Hub::accept(tcp::acceptor acceptor, std::chrono::seconds timeout) {
  auto self = shared_from_this();
  struct Waiting {
    tcp::acceptor acceptor;
    std::shared_ptr<Link> link;  // that has not said its name yet
    bool late = false;
  };
  auto waiting = std::make_shared<Waiting>(Waiting{std::move(acceptor), nullptr});
  asio::steady_timer timer(executor_, timeout);
  timer.async_wait([waiting](const boost::system::error_code& error) {
    if (error) return;  // cancelled: all came in time
    waiting->late = true;
    waiting->acceptor.close();
    if (waiting->link) waiting->link->close();
  });
  const std::string hint = " within " + std::to_string(timeout.count()) + " s. HINT: look for why it did not start.";
  for (std::size_t connected = 0; connected < names_.size();) {
    auto [error, socket] = co_await waiting->acceptor.async_accept(kResult);
    if (waiting->late) throw PeerLost(missing() + " did not connect to " + name_ + hint);
    if (error) throw PeerLost(name_ + " cannot accept a connection: " + error.message());
    waiting->link = std::make_shared<Link>(std::move(socket), "a peer of " + name_);
    std::string name;
    try {
      name = co_await waiting->link->read_name();
    } catch (const SwarmError& refused) {
      if (waiting->late) throw PeerLost(missing() + " did not connect to " + name_ + hint);
      throw;
    }
    const auto at = static_cast<std::size_t>(std::ranges::find(names_, name) - names_.begin());
    if (at == names_.size() || children_[at].link) {
      throw CorruptFrame("a peer says it is " + name + ", which " + name_ + " does not wait for");
    }
    waiting->link->rename(name);
    children_[at] = {std::exchange(waiting->link, nullptr), std::make_shared<FrameQueue>(executor_, kQueueFrames)};
    ++connected;
  }
  timer.cancel();
  if (closed_) throw PeerLost(name_ + " was closed");
  for (std::size_t child = 0; child < children_.size(); ++child) {
    asio::co_spawn(executor_, write_all(children_[child].link, children_[child].queue), asio::detached);
    asio::co_spawn(
        executor_, [self, child] { return self->read(child); }, asio::detached);
  }
}

asio::awaitable<void> Hub::read(std::size_t child) {
  auto self = shared_from_this();
  Link& link = *children_[child].link;
  std::string failure;
  try {
    for (;;) {
      Frame frame = co_await link.read();
      if (frame.type == FrameType::Error) {
        co_await up_(std::move(frame));
      } else if (std::optional<Frame> whole = reducer_.add(child, frame)) {
        co_await up_(std::move(*whole));
      }
    }
  } catch (const SwarmError& error) {
    failure = error.what();
  }
  if (closed_) co_return;
  const std::string place = reducer_.waiting_for(child);
  shut(*children_[child].queue);
  link.close();
  // A named frame: g++ 12 destroys temporaries of a co_await expression twice.
  Frame report =
      error_frame(ErrorKind::Swarm, "swarmx " + name_ + (place.empty() ? "" : ", " + place) + ": " + failure);
  co_await up_(std::move(report));
}

asio::awaitable<void> Hub::down(Frame frame) {
  auto self = shared_from_this();
  if (frame.type == FrameType::Stop) closed_ = true;
  for (const Child& child : children_) {
    if (child.queue) co_await child.queue->async_send({}, frame, kResult);
  }
}

void Hub::close() {
  closed_ = true;
  for (const Child& child : children_) {
    if (child.queue) shut(*child.queue);
    if (child.link) child.link->close();
  }
}

std::string Hub::missing() const {
  std::string list;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (!children_[i].link) list += (list.empty() ? "" : ", ") + names_[i];
  }
  return list;
}

}  // namespace weft
