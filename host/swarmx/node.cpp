#include "host/swarmx/node.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <memory>
#include <utility>

#include "host/swarmx/hub.hpp"
#include "host/swarmx/payload.hpp"

namespace weft {

std::vector<std::string> child_names(const TreeNode& node) {
  std::vector<std::string> names;
  for (const TreeNode& child : node.children) names.push_back(child.name());
  return names;
}

asio::awaitable<void> run_node(TreeNode node, tcp::acceptor acceptor, tcp::endpoint parent_at, std::string parent_name,
                               std::chrono::seconds timeout) {
  const asio::any_io_executor executor = co_await asio::this_coro::executor;
  std::shared_ptr<Link> parent;
  try {
    std::string name = node.name();
    Link link = co_await connect(parent_at, std::move(parent_name), std::move(name));
    parent = std::make_shared<Link>(std::move(link));
  } catch (const SwarmError&) {
    co_return;  // the parent misses us
  }
  auto queue = std::make_shared<FrameQueue>(executor, kQueueFrames);
  asio::co_spawn(executor, write_all(parent, queue), asio::detached);
  const Hub::Up up = [queue](Frame frame) -> asio::awaitable<void> {
    co_await queue->async_send({}, std::move(frame), asio::as_tuple(asio::use_awaitable));
  };
  auto hub = std::make_shared<Hub>(executor, node.name(), child_names(node), up);
  std::string failure;
  try {
    co_await hub->accept(std::move(acceptor), timeout);
    for (;;) {
      Frame frame = co_await parent->read();
      const bool stop = frame.type == FrameType::Stop;
      co_await hub->down(std::move(frame));
      if (stop) break;
    }
    queue->close();
    co_return;
  } catch (const SwarmError& error) {
    failure = error.what();
  }
  // If it is the parent that is gone, this reaches nobody, and drain returns at once.
  Frame report = error_frame(ErrorKind::Swarm, "swarmx " + node.name() + ": " + failure);
  co_await up(std::move(report));
  co_await parent->drain();
  hub->close();
  shut(*queue);
}

}  // namespace weft
