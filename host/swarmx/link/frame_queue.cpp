#include "host/swarmx/link/frame_queue.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "host/swarmx/base/deadline.hpp"

namespace weft::swarmx {
namespace {

constexpr std::size_t kTogether = 131072;  // bytes in one write after which no more frames are added

/// Takes the oldest frame, if there is one.
std::optional<Frame> waiting(FrameQueue& queue) {
  std::optional<Frame> oldest;
  queue.try_receive([&](boost::system::error_code error, Frame frame) {
    if (!error) oldest = std::move(frame);
  });
  return oldest;
}

/// Returns the oldest frame, or a heartbeat (Alive) if there is none within `interval` (0: waits for one). Throws
/// system_error if the queue is closed.
asio::awaitable<Frame> next(FrameQueue& queue, std::chrono::milliseconds interval) {
  if (std::optional<Frame> oldest = waiting(queue)) co_return std::move(*oldest);
  auto receiving = queue.async_receive(asio::use_awaitable);
  if (interval == interval.zero()) co_return co_await std::move(receiving);
  std::optional<Frame> frame = co_await within(interval, std::move(receiving));
  if (!frame) co_return Frame{.type = FrameType::Alive};
  co_return std::move(*frame);
}

}  // namespace

asio::awaitable<void> push_frame(std::shared_ptr<FrameQueue> queue, Frame frame) {
  if (queue->try_send(boost::system::error_code(), frame)) co_return;
  co_await queue->async_send({}, std::move(frame), asio::as_tuple(asio::use_awaitable));
}

void discard_frames(FrameQueue& queue, const std::function<void(const Frame&)>& discarded) {
  while (const std::optional<Frame> frame = waiting(queue)) discarded(*frame);
}

void shut(FrameQueue& queue) {
  queue.close();
  queue.cancel();
}

asio::awaitable<void> write_all(std::shared_ptr<Link> link, std::shared_ptr<FrameQueue> queue,
                                std::function<void(const Frame&)> taken) {
  try {
    std::vector<Frame> frames;
    const auto stops = [&] { return !frames.empty() && frames.back().type == FrameType::Stop; };
    while (!stops()) {
      frames.clear();
      frames.push_back(co_await next(*queue, link->heartbeat_interval()));
      for (std::size_t bytes = frames.back().bytes().size(); bytes < kTogether && !stops();) {
        std::optional<Frame> frame = waiting(*queue);
        if (!frame) break;
        bytes += frame->bytes().size();
        frames.push_back(std::move(*frame));
      }
      if (taken)
        for (const Frame& frame : frames)
          if (frame.type != FrameType::Alive) taken(frame);  // a heartbeat was in no queue
      co_await link->write(frames);
    }
  } catch (const PeerLost&) {
  } catch (const boost::system::system_error&) {  // the queue is closed
  }
  shut(*queue);
  link->done_writing();
}

}  // namespace weft::swarmx
