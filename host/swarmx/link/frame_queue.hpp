/// Bounded queue of frames to be written to a connection; a full queue makes senders wait.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/experimental/channel.hpp>
#include <cstddef>
#include <functional>
#include <memory>

#include "host/swarmx/link/link.hpp"
#include "host/swarmx/protocol/frame.hpp"

namespace weft::swarmx {

using FrameQueue = asio::experimental::channel<void(boost::system::error_code, Frame)>;
inline constexpr std::size_t kQueueFrames = 8;
inline constexpr std::size_t kUnlimited = ~std::size_t{0};  ///< capacity of a queue whose sender counts its frames

/// Puts a frame in, or waits for room. If there is room it returns without yielding to the executor, so that many
/// frames can be queued before their writer is woken. A closed queue discards the frame.
asio::awaitable<void> push_frame(std::shared_ptr<FrameQueue> queue, Frame frame);

/// Discards the frames that wait in the queue, and calls `discarded` with each.
void discard_frames(FrameQueue& queue, const std::function<void(const Frame&)>& discarded);

/// Closes the queue: frames are discarded, and senders that wait for room continue. (A channel's close() alone leaves
/// them waiting.)
void shut(FrameQueue& queue);

/// Writes the frames of the queue, as many together as are waiting, and heartbeats (Alive) while there are none, until
/// the queue is closed, Stop has been written or the peer is gone. A lost peer is no failure here: the reader of this
/// link reports it. `taken` is called with each frame that leaves the queue, but not with
/// heartbeats; may be null.
asio::awaitable<void> write_all(std::shared_ptr<Link> link, std::shared_ptr<FrameQueue> queue,
                                std::function<void(const Frame&)> taken = {});

}  // namespace weft::swarmx
