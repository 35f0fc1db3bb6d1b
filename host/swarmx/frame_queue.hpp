/// Frames that wait to be written to a connection: a few, so that who sends them waits for who takes them.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/experimental/channel.hpp>
#include <cstddef>
#include <memory>

#include "host/swarmx/frame.hpp"
#include "host/swarmx/link.hpp"

namespace weft {

using FrameQueue = asio::experimental::channel<void(boost::system::error_code, Frame)>;
inline constexpr std::size_t kQueueFrames = 8;

/// Puts a frame in, or waits for room. Where there is room it is no turn of the executor, so that many go in before who
/// writes them is woken. A queue that is closed takes it and forgets it.
asio::awaitable<void> put(std::shared_ptr<FrameQueue> queue, Frame frame);

/// No frame gets in any more; who waits for room goes on. (A channel's close() alone leaves those waiting.)
void shut(FrameQueue& queue);

/// Writes what comes into the queue, what waits there together, and Alive when nothing does, until it is closed, Stop
/// has been written or the peer is gone. That is no failure here: whoever reads this link says why.
asio::awaitable<void> write_all(std::shared_ptr<Link> link, std::shared_ptr<FrameQueue> queue);

}  // namespace weft
