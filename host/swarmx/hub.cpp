#include "host/swarmx/hub.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <optional>
#include <utility>

#include "host/swarmx/payload.hpp"
#include "host/swarmx/told.hpp"

namespace weft {
namespace {

std::vector<Reducer::Child> reduced(const TreeNode& node) {
  std::vector<Reducer::Child> children;
  for (const TreeNode& child : node.children) children.push_back({child.name(), child.first, child.count});
  return children;
}

}  // namespace

Hub::Hub(asio::any_io_executor executor, FirstFailure& run, const Plan& plan, const TreeNode& node, std::string name,
         Up up)
    : executor_(std::move(executor)),
      run_(run),
      name_(std::move(name)),
      up_(std::move(up)),
      reducer_(plan, reduced(node)) {
  for (const TreeNode& child : node.children) {
    children_.push_back({child.name(), nullptr, std::make_shared<FrameQueue>(executor_, kQueueFrames)});
  }
}

void Hub::adopt(std::size_t child, Link link) {
  Child& to = children_[child];
  to.link = std::make_shared<Link>(std::move(link));
  asio::co_spawn(executor_, write_all(to.link, to.queue), run_.ending());
  asio::co_spawn(executor_, read(shared_from_this(), child), run_.ending());
}

asio::awaitable<void> Hub::read(std::shared_ptr<Hub> self, std::size_t child) {
  try {
    for (;;) co_await self->take(child);
  } catch (const SwarmError&) {
    shut(*self->children_[child].queue);
    if (self->stopped_) co_return;
    throw;
  }
}

/// Takes one frame of a child.
asio::awaitable<void> Hub::take(std::size_t child) {
  Frame frame;
  std::optional<Frame> whole;
  try {
    frame = co_await children_[child].link->read();
    if (frame.type != FrameType::Error) whole = reducer_.add(child, frame);
  } catch (const SwarmError&) {
    const std::string place = reducer_.waiting_for(child);
    rethrow_from("swarmx " + name_ + (place.empty() ? "" : ", " + place));
  }
  if (frame.type == FrameType::Error) throw_error(frame.bytes(), children_[child].name);
  if (whole) co_await up_(std::move(*whole));
}

asio::awaitable<void> Hub::down(Frame frame) {
  if (frame.type == FrameType::Begin) reducer_.begin(frame);
  if (frame.type == FrameType::Stop) stopped_ = true;
  for (const Child& child : children_) {
    co_await child.queue->async_send({}, frame, asio::as_tuple(asio::use_awaitable));
  }
}

void Hub::close() noexcept {
  for (const Child& child : children_) {
    if (child.link) child.link->close();
  }
}

}  // namespace weft
