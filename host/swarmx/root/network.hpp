/// The tree of this process: its nodes, links and local wafers, the threads they run in, and the port where other
/// processes join.
#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "host/swarmx/auth/listener.hpp"
#include "host/swarmx/link/wire.hpp"
#include "host/swarmx/members/data_source.hpp"
#include "host/swarmx/root/stall_meter.hpp"
#include "host/swarmx/root/swarm_options.hpp"
#include "host/swarmx/tree/members.hpp"
#include "host/swarmx/tree/node_assignment.hpp"
#include "host/swarmx/tree/node_io.hpp"
#include "host/swarmx/tree/tree.hpp"
#include "sw/base/failure.hpp"

namespace weft::swarmx {

class Network {
 public:
  static constexpr const char* kData = "data";  ///< name of the data rank

  /// Makes all links; nothing runs yet. `up` takes what is sent up to the root, and `joined` is called with member ids:
  /// for local wafers at once, otherwise both are called in the network's thread, as `returned` is. All arguments must
  /// outlive this, and `run`'s `wake` must call `wake` of this object. Throws std::invalid_argument, and
  /// boost::system::system_error if there are too few descriptors.
  Network(const compiler::Plan& plan, const SwarmOptions& options, FirstFailure& run, NodeIo::Up up,
          std::function<void(std::uint32_t member_id)> joined, NodeIo::Returned returned = {});
  ~Network() { end(); }

  /// Starts the threads. Throws std::system_error if there are too few.
  void start();
  asio::any_io_executor executor() { return io_.get_executor(); }
  /// Returns a micro-batch's tokens, in the streaming thread.
  MicroBatch batch(const BatchRequest& request) { return data_.get(request); }
  NodeIo& root() { return *root_; }
  /// Stalls of the network's thread, if processes can join.
  StallMeter& stalls() { return stalls_; }
  /// Stops all activity after a failure of the run.
  void wake() noexcept {
    io_.stop();
    data_.wake();
  }
  /// Stops the wafers and waits until all threads have ended; after a failure, until the wafers have finished their
  /// present work.
  void end() noexcept;

  /// Port where other processes join; 0: none can.
  std::uint16_t port() const { return listener_ ? listener_->port() : std::uint16_t{0}; }
  /// Error text for too few wafers.
  std::string too_few() const;
  /// Logs which wafers are waited for, and for how long at most; nothing: that the run continues without them. From any
  /// thread.
  void log_missing(std::optional<std::chrono::milliseconds> most) const;
  const Members& members() const { return members_; }
  /// Status of the data rank; none if it never joined. From any thread.
  std::optional<RankStatus> data() const;
  /// Status of nodes in processes of their own. From any thread.
  std::vector<RankStatus> nodes() const;

 private:
  void build(const TreeNode& node, std::shared_ptr<NodeIo> node_io);
  void listen();
  asio::awaitable<void> accept_wafer(std::string name, std::string host, std::unique_ptr<Channel> channel);
  asio::awaitable<void> accept_data_rank(std::string host, std::unique_ptr<Channel> channel);
  asio::awaitable<void> accept_node(std::string name, std::string host, std::unique_ptr<Channel> channel);
  asio::awaitable<void> redirect_memory_rank(std::string name, std::unique_ptr<Channel> channel);
  asio::awaitable<bool> wait_for_nodes(Link& link);
  asio::awaitable<void> send_stop(Link link);
  void stop_late_member(const std::string& name, std::unique_ptr<Channel> channel);
  void set_late_deadlines();
  asio::awaitable<void> wait_for_late_members();
  asio::awaitable<void> redirect(Link link, NodeAssignment::Node node, std::uint32_t member_id);
  std::string why_no_node(const std::string& name) const;
  void log_joined(const std::string& name, bool twice, const std::string& where = {}) const;
  void child_lost(const NodeIo::LostChild& child);
  void arrived_at_node(std::uint32_t member_id);
  void left_node(std::uint32_t member_id);
  void handle_report(const Frame& frame);
  void close() noexcept;

  const compiler::Plan& plan_;
  const SwarmOptions& options_;
  FirstFailure& run_;
  std::function<void(std::uint32_t)> joined_;
  Members members_, readers_, node_members_;  // wafers; data ranks; nodes of other processes
  NodeAssignment assignment_;
  HoldBack hold_back_;                                    // wafers that were disconnected
  std::map<std::size_t, std::uint32_t> node_member_ids_;  // [child of the root]: its id in node_members_
  asio::io_context io_{1};
  asio::executor_work_guard<asio::io_context::executor_type> guard_{io_.get_executor()};
  StallMeter stalls_{io_.get_executor()};
  std::shared_ptr<NodeIo> root_;
  DataSource data_;
  std::vector<std::shared_ptr<NodeIo>> nodes_;
  std::vector<std::unique_ptr<Wire>> wires_;  // [local wafer]
  std::shared_ptr<Listener> listener_;
  std::vector<std::uint8_t> encoded_;  // the plan, for processes that join
  bool stopping_ = false;              // used by the network's thread only
  std::map<std::string, std::chrono::system_clock::time_point>
      late_;  // [name]: until when it is waited for, at the end
  const std::chrono::system_clock::time_point begin_ = std::chrono::system_clock::now();
  bool without_ = false;                                // the log says that nodes are missing
  std::set<std::shared_ptr<FrameQueue>> on_their_way_;  // to redirected members that are still connected
  std::vector<std::jthread> wafers_;
  std::jthread thread_;
};

}  // namespace weft::swarmx
