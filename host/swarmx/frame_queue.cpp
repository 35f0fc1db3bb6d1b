#include "host/swarmx/frame_queue.hpp"

#include <boost/asio/use_awaitable.hpp>
#include <optional>
#include <utility>

#include "host/swarmx/deadline.hpp"

namespace weft {
namespace {

/// The oldest frame, or Alive if there is none within `pulse` (0: waits for one). Throws system_error if the queue is
/// closed.
asio::awaitable<Frame> next(FrameQueue& queue, std::chrono::milliseconds pulse) {
  if (pulse == pulse.zero()) co_return co_await queue.async_receive(asio::use_awaitable);
  std::optional<Frame> waiting;
  if (queue.try_receive([&](boost::system::error_code error, Frame frame) {
        if (!error) waiting = std::move(frame);
      }) &&
      waiting)
    co_return std::move(*waiting);
  auto receiving = queue.async_receive(asio::use_awaitable);
  std::optional<Frame> frame = co_await within(pulse, std::move(receiving));
  if (!frame) co_return Frame{.type = FrameType::Alive};
  co_return std::move(*frame);
}

}  // namespace

void shut(FrameQueue& queue) {
  queue.close();
  queue.cancel();
}

asio::awaitable<void> write_all(std::shared_ptr<Link> link, std::shared_ptr<FrameQueue> queue) {
  try {
    for (bool stop = false; !stop;) {
      const Frame frame = co_await next(*queue, link->pulse());
      co_await link->write(frame);
      stop = frame.type == FrameType::Stop;
    }
  } catch (const PeerLost&) {
  } catch (const boost::system::system_error&) {  // the queue is closed
  }
  shut(*queue);
  link->done_writing();
}

}  // namespace weft
