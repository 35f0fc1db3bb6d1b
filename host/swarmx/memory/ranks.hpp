/// The root's side of MemoryX on ranks of its own (docs/explanation/swarm.md): requests frames of weights one op ahead,
/// forwards gradients to the ranks that have their tensors, and combines norm, hash and checkpoint from the ranks'
/// reports. ranks_state.hpp decides what is sent; this class has the threads that wait, and the connections.
///
/// A thread, a port and connections of its own let this outlive swarms that fail. A lost rank takes its part of the
/// state with it: from then on everything throws.
#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "host/swarmx/auth/listener.hpp"
#include "host/swarmx/base/cancellable_wait.hpp"
#include "host/swarmx/link/frame_queue.hpp"
#include "host/swarmx/link/link.hpp"
#include "host/swarmx/link/outbox.hpp"
#include "host/swarmx/memory/rank_paces.hpp"
#include "host/swarmx/memory/ranks_state.hpp"
#include "host/swarmx/protocol/memoryx_client.hpp"
#include "host/swarmx/protocol/op_frames.hpp"
#include "host/swarmx/tree/members.hpp"
#include "sw/base/failure.hpp"

namespace weft::swarmx {

struct MemoryRanksOptions {
  int ranks = 1;
  memoryx::MemoryXOptions memoryx = {};  ///< options of all parts; each rank chooses its `threads` itself
  std::shared_ptr<const Credentials> credentials = {};
  std::string address = "127.0.0.1";  ///< numeric address that the ranks join
  std::string job = {};               ///< as in SwarmOptions, like the next three
  std::string build = {};
  std::uint64_t digest = 0;
  std::string network_text = {};
  std::chrono::milliseconds silence{30000};  ///< a rank that is silent for so long is lost
  double straggler = 3;  ///< multiple of the other ranks' times after which a rank is named as slow; 0: never
  /// For all ranks to join. The default is for tests; runs use swarmx.timeout.
  std::chrono::milliseconds timeout{30000};
  std::function<void(const std::string& line)> say = {};
  /// Polled while ranks are waited for: returns whether to give up; null: never.
  std::function<bool()> leave = {};
  /// Called in the network's thread when a rank was asked to end, and so the run; may be null.
  std::function<void()> on_leave_request = {};
  std::shared_ptr<StepClock> clock = {};  ///< records waits for ranks to join; may be null
};

class MemoryRanks final : public MemoryXClient {
 public:
  /// Lets ranks in from now on. `plan` must outlive this. Throws Refusal as assign_shards, std::system_error.
  MemoryRanks(const compiler::Plan& plan, MemoryRanksOptions options);
  /// Sends Stop to the ranks, except after a failure, including an exception that is propagating now: then they
  /// reconnect.
  ~MemoryRanks() override;

  /// Port where ranks join, at `address`.
  std::uint16_t port() const { return listener_->port(); }
  /// Returns the status of all ranks. From any thread.
  std::vector<RankStatus> status() const;

  /// Returns the first rank that was asked to end, with its host and the source of the request; empty: none was. From
  /// any thread.
  std::string left_by() const;

  // All throw PeerLost if a rank was lost, MemoryFailed if one has reported a failure. The first call that needs a
  // state waits for the ranks to join; it throws WaitEnded if options.leave returns true, MemoryLeaves if a connected
  // rank leaves.
  void begin_step(const memoryx::UpcomingStep& upcoming) override;
  void streamed(std::size_t /*op*/) override {}
  void abandon_step() override {}
  void add(std::size_t op, std::size_t first, std::span<const std::int64_t> values) override;
  memoryx::Applied apply(std::uint64_t step, std::uint64_t tokens) override;
  double learning_rate(std::uint64_t step) const override { return options_.memoryx.learning_rate.at(step); }
  int moments() const override { return state_.moments(); }
  bool update_finished() const noexcept override;
  memoryx::UpdateResult finish_update() override;
  bool is_consistent() const override;
  std::uint64_t hash() override { return finish_update().hash; }
  std::shared_ptr<memoryx::Snapshot> snapshot(memoryx::MemoryX::Take take, std::function<void()> end) override;
  void frames(std::size_t op, std::optional<std::size_t> next, StepClock* clock, const Send& send) override;
  void load(const Read& read) override;
  void start() override { load({}); }
  void report_failures_to(FirstFailure* run) noexcept override;

 private:
  struct Rank {
    Rank(asio::any_io_executor executor, FirstFailure& failure, Outbox::Down down)
        : outbox(std::move(executor), failure, std::move(down)) {}
    Outbox outbox;
    std::shared_ptr<Link> link = nullptr;  // used by the network's thread only, as queue; null: not joined
    std::shared_ptr<FrameQueue> queue = nullptr;
  };
  struct Late {
    std::shared_ptr<Link> link;
    std::shared_ptr<FrameQueue> queue;
  };
  /// Waits until `ready`, which reads the state, and returns the result of `what` at that moment.
  template <class Ready, class What>
  auto when(const Ready& ready, const What& what) const {
    std::unique_lock lock(waiting_.mutex);
    waiting_.until(lock, ready);
    return what();
  }
  void listen();
  asio::awaitable<void> accept_rank(std::size_t number, std::string host, std::unique_ptr<Channel> channel);
  asio::awaitable<void> keep_waiting(std::shared_ptr<Link> link, std::shared_ptr<FrameQueue> queue);
  asio::awaitable<void> to_rank(std::size_t number, Frame frame);
  bool reserve(std::size_t number);
  void set_joined(std::size_t number);
  void handle_frame(std::size_t number, Frame frame);
  void note_leave_request(std::size_t number, std::uint32_t member_id, const std::string& who);
  void wait_for_ranks();
  bool wait_until(std::unique_lock<std::mutex>& lock, std::chrono::steady_clock::time_point end);
  void send(std::size_t number, Frame frame);
  void send(RanksState::Out out);
  void send_numbers(std::size_t number, Frame frame);
  void take_chunks(std::uint32_t request, const memoryx::MemoryX::Take& take);
  void stop();
  void wake() noexcept;
  void close() noexcept;

  const compiler::Plan& plan_;
  const MemoryRanksOptions options_;
  OpFrames frames_;  // frames of ops without weights
  FirstFailure failure_{[this] { wake(); }};
  std::mutex swarm_mutex_;  // guards the next
  FirstFailure* swarm_ = nullptr;
  mutable CancellableWait waiting_{failure_};  // its mutex guards the next three
  RanksState state_;
  RankPaces paces_;
  std::string left_by_;
  std::vector<std::uint8_t> encoded_;  // the plan
  Members members_;
  const int exceptions_ = std::uncaught_exceptions();
  asio::io_context io_{1};
  asio::executor_work_guard<asio::io_context::executor_type> guard_{io_.get_executor()};
  std::shared_ptr<Listener> listener_;
  std::vector<std::unique_ptr<Rank>> ranks_;
  std::deque<Late> late_;  // connections with a taken name, or made after the end; network's thread only, as the next
  bool stopping_ = false;
  std::jthread thread_;
};

}  // namespace weft::swarmx
