/// The children's side of a node: distributes frames from above to the children, and combines what they contribute.
///
/// Runs on one thread's io_context. Each child has a queue; `down` waits while those of all recipients are full, so the
/// fastest child sets the pace, and memory is bounded because no child is more than 64 MiB behind. One at this
/// bound that others wait for is disconnected (docs/explanation/swarm.md, Slow links). A lost child of another process
/// is removed; any failure within the process ends the run.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "host/swarmx/base/fifo_mutex.hpp"
#include "host/swarmx/link/frame_queue.hpp"
#include "host/swarmx/link/link.hpp"
#include "host/swarmx/protocol/frame.hpp"
#include "host/swarmx/protocol/member_traffic.hpp"
#include "host/swarmx/tree/dispatch.hpp"
#include "host/swarmx/tree/node_state.hpp"
#include "host/swarmx/tree/wait_account.hpp"
#include "sw/base/failure.hpp"

namespace weft::swarmx {

struct NodeIoLimits {
  std::size_t behind = std::size_t{64} << 20;  ///< bytes of payload in a child's queue
  WaitLimits waits = {};                       ///< of others for one child at that bound
  /// How a node in a process of its own judges its wafers; straggler 0: it does not.
  DispatchOptions judge = {.straggler = 0};
};

class NodeIo : public std::enable_shared_from_this<NodeIo> {
 public:
  /// Takes a frame that is sent up.
  using Up = std::function<asio::awaitable<void>(Frame)>;
  /// A lost child.
  struct LostChild {
    std::size_t number;
    const std::string& name;
    std::span<const std::uint32_t> member_ids;  ///< when it joined
    const std::string& why;
    bool slow;  ///< it was disconnected because others waited for it
  };
  /// Called before a child's Left is sent up.
  using Lost = std::function<void(const LostChild& child)>;

  /// Called when a child in another process has returned all of some micro-batches.
  using Returned = std::function<void(std::uint32_t pass, std::span<const std::uint32_t> micro_batches)>;

  /// `run` must outlive the executor.
  NodeIo(asio::any_io_executor executor, FirstFailure& run, const compiler::Plan& plan, std::string name, Up up,
         Lost lost = {}, Returned returned = {}, NodeIoLimits limits = {});

  /// Adds a child, with the members below it and its connection, which is read and written from now on. `leaf`: the
  /// child is a wafer. A child that was let in before Stop was sent down, and is added afterwards, is sent Stop.
  /// Returns its number, which is never used again.
  std::size_t adopt(std::string name, std::vector<std::uint32_t> member_ids, bool leaf, Link link);
  /// Adopts a wafer that joins a node in a process of its own from the address `host`, and sends Came up before any
  /// frame of the wafer.
  asio::awaitable<void> admit_wafer(std::string name, std::string host, std::uint32_t member_id, Link link);
  /// Queues a frame for its recipients; returns when one of them has room for another frame, and none is too far
  /// behind. After Stop, which discards what is queued, children may leave.
  asio::awaitable<void> down(Frame frame);
  /// Closes the connection of a wafer that stays slow, if it is a child, for the reason `why`.
  void disconnect(std::uint32_t member_id, const std::string& why);
  /// Judges the wafers until Stop is sent down: sums no longer wait for late ones, and those that stay slow are
  /// disconnected.
  asio::awaitable<void> judge_wafers();
  /// Traffic of the connections of children that are wafers, by member id.
  std::vector<MemberTraffic> traffic() const;
  /// Closes all connections, which wakes leaves from any wait.
  void close() noexcept;

  const std::string& name() const { return name_; }
  /// Number of children whose connections have not ended.
  std::size_t open_children() const { return open_children_; }

 private:
  struct Child {
    std::string name;
    std::vector<std::uint32_t> member_ids;  // when it joined
    std::string host = {};                  // of a wafer of a node in a process of its own
    std::shared_ptr<Link> link;
    std::shared_ptr<FrameQueue> queue;
    std::size_t frames = 0, bytes = 0;  // in the queue
    WaitAccount waits;                  // of others for it
    bool slow = false;                  // it is disconnected
    bool has_room() const { return frames < kQueueFrames; }
  };
  static asio::awaitable<void> read(std::shared_ptr<NodeIo> self, std::size_t number);
  asio::awaitable<void> read_child(std::size_t number);
  bool judges() const { return limits_.judge.straggler > 0; }
  std::vector<std::uint32_t> judge_frame(const Frame& frame);
  asio::awaitable<void> release(std::vector<std::uint32_t> member_ids);
  std::string slow_text(const Child& child, WaitAccount::Time now);
  asio::awaitable<void> drop_child(std::size_t number, std::string why);
  void queue(std::size_t number, Frame frame);
  bool is_too_far_behind(const Child& child) const { return !child.has_room() && child.bytes > limits_.behind; }
  void taken(std::size_t number, const Frame& frame);
  asio::awaitable<void> wait_for_room(std::vector<std::size_t> recipients, bool waits);
  void charge(const std::vector<std::size_t>& recipients, WaitAccount::Time from, WaitAccount::Time to);
  std::string place_of(std::size_t number) const;

  asio::any_io_executor executor_;
  FirstFailure& run_;
  std::string name_;
  Up up_;
  Lost lost_;
  Returned returned_;
  NodeIoLimits limits_;
  std::map<std::size_t, Child> children_;
  NodeState state_;
  Dispatch judge_;      // of the wafers, if judges()
  FifoMutex up_mutex_;  // frames are sent up in the order of state_'s results
  std::size_t open_children_ = 0;
  asio::steady_timer room_;  // cancelled when a queue has room again
  bool stopped_ = false;     // Stop was sent down: the end of a connection is no error any more
};

}  // namespace weft::swarmx
