#include "host/swarmx/tree/node.hpp"

#include <boost/asio/co_spawn.hpp>
#include <utility>

namespace weft::swarmx {
namespace {

asio::awaitable<void> run_node(std::shared_ptr<NodeIo> node_io, std::shared_ptr<Link> parent,
                               std::shared_ptr<FrameQueue> up) {
  for (bool stop = false; !stop;) {
    Frame frame = co_await parent->read();
    stop = frame.type == FrameType::Stop;
    co_await node_io->down(std::move(frame));
  }
  shut(*up);
  parent->close();
}

}  // namespace

std::shared_ptr<NodeIo> start_node(asio::any_io_executor executor, FirstFailure& run, const compiler::Plan& plan,
                                   std::string name, Link parent) {
  auto link = std::make_shared<Link>(std::move(parent));
  auto queue = std::make_shared<FrameQueue>(executor, kQueueFrames);
  auto up = [queue](Frame frame) -> asio::awaitable<void> { co_await push_frame(queue, std::move(frame)); };
  auto node_io = std::make_shared<NodeIo>(executor, run, plan, std::move(name), std::move(up));
  asio::co_spawn(executor, write_all(link, queue), run.ending());
  asio::co_spawn(executor, run_node(node_io, link, queue), run.ending());
  return node_io;
}

}  // namespace weft::swarmx
