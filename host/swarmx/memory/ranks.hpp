/// MemoryX on ranks of their own, as the root has it (docs/swarm.md): it asks for frames of weights one op ahead, sends
/// gradients on to who has their tensors, and puts norm, hash and checkpoint together of what the ranks say.
///
/// It has a thread, a port and connections of its own, so that it outlives swarms that fail. A rank that is lost takes
/// its part of the state with it: from then on everything throws.
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

#include "host/memoryx/exact_sum.hpp"
#include "host/swarmx/auth/listener.hpp"
#include "host/swarmx/frame_queue.hpp"
#include "host/swarmx/link.hpp"
#include "host/swarmx/members.hpp"
#include "host/swarmx/memory/asked.hpp"
#include "host/swarmx/memory/deal.hpp"
#include "host/swarmx/memory/frame_credits.hpp"
#include "host/swarmx/memory/memory.hpp"
#include "host/swarmx/memory/parts.hpp"
#include "host/swarmx/op_frames.hpp"
#include "host/swarmx/outbox.hpp"
#include "host/swarmx/waiting.hpp"
#include "sw/base/failure.hpp"

namespace weft {

struct MemoryRanksOptions {
  int ranks = 1;
  MemoryXOptions memoryx = {};  ///< of all parts; `threads` are each rank's own business
  std::shared_ptr<const Credentials> credentials = {};
  std::string address = "127.0.0.1";  ///< where they come, a number
  std::string job = {};               ///< as a swarm's, as the next two
  std::uint64_t digest = 0;
  std::string network_text = {};
  std::chrono::milliseconds silence{30000};  ///< one that says nothing for so long is lost
  std::chrono::milliseconds timeout{30000};  ///< for all to come
  std::function<void(const std::string& line)> say = {};
};

class MemoryRanks final : public Memory {
 public:
  /// Lets ranks in from now on. `plan` must outlive this. Throws Refusal as deal_tensors, std::system_error.
  MemoryRanks(const Plan& plan, MemoryRanksOptions options);
  /// Tells them that the run is over: but after a failure, also one that an exception leaves by now, when they try
  /// again.
  ~MemoryRanks() override;

  /// Where they come to, of `address`.
  std::uint16_t port() const { return listener_->port(); }
  /// Who is there. From any thread.
  std::vector<RankStatus> status() const;

  // All throw PeerLost if a rank was lost, or SwarmError if it has said that it failed. The first that needs a state
  // waits for the ranks to come.
  void begin_step(const StepAhead& ahead) override;
  void streamed(std::size_t /*op*/) override {}
  void abandon_step() override {}
  void add(std::size_t op, std::size_t first, std::span<const std::int64_t> values) override;
  Applied apply(std::uint64_t step, std::uint64_t tokens) override;
  double learning_rate(std::uint64_t step) const override { return options_.memoryx.learning_rate.at(step); }
  int moments() const override { return moments_; }
  bool settled() const noexcept override { return parts_.settled(); }
  Settled settle() override { return parts_.settle(moments_); }
  bool whole() const override { return parts_.wait(); }
  std::uint64_t hash() override { return parts_.settle(moments_).hash; }
  std::shared_ptr<Snapshot> snapshot(MemoryX::Take take, std::function<void()> end) override;
  void frames(std::size_t op, std::optional<std::size_t> next, StepClock* clock, const Send& send) override;
  void load(const Read& read) override;
  void start() override { load({}); }
  void fails(FirstFailure* run) noexcept override;

 private:
  static constexpr std::uint64_t kWindow = 16;  ///< gradients and pieces of the state that a rank has not taken
  struct Rank {
    Rank(asio::any_io_executor executor, FirstFailure& failure, Outbox::Down down)
        : outbox(std::move(executor), failure, std::move(down)) {}
    Outbox outbox;
    FrameCredits window{kWindow};          // of what it has room for
    std::shared_ptr<Link> link = nullptr;  // of the network's thread, as the next; null: it has not come
    std::shared_ptr<FrameQueue> queue = nullptr;
  };
  struct Late {
    std::shared_ptr<Link> link;
    std::shared_ptr<FrameQueue> queue;
  };
  struct Question {
    std::size_t op;
    std::uint32_t number;
  };
  void listen();
  /// What a rank is told of its part.
  PartOptions part_of(std::size_t number) const;
  asio::awaitable<void> welcome(std::size_t number, std::string host, std::unique_ptr<Channel> channel);
  asio::awaitable<void> keep_waiting(std::shared_ptr<Link> link, std::shared_ptr<FrameQueue> queue);
  asio::awaitable<void> to_rank(std::size_t number, Frame frame);
  void take(std::size_t number, Frame frame);
  void wait_for_ranks();
  void send(std::size_t number, Frame frame);
  void send_all(const Frame& frame);
  void send_numbers(std::size_t number, Frame frame);
  void ask(std::size_t op);
  void take_pieces(std::uint32_t round, const MemoryX::Take& take);
  void stop();
  void wake() noexcept;
  void close() noexcept;

  const Plan& plan_;
  const MemoryRanksOptions options_;
  const int moments_;
  const std::vector<Dealt> dealt_;
  const std::vector<std::size_t> rank_of_;            // [op]
  const std::vector<std::vector<std::size_t>> gets_;  // [op]: ranks its gradients go to
  const ExactSum range_;                              // holds nothing: it knows how many micro-batches there may be
  OpFrames frames_;                                   // of ops that have no weights
  FirstFailure failure_{[this] { wake(); }};
  std::mutex swarm_mutex_;  // of the next
  FirstFailure* swarm_ = nullptr;
  Parts parts_;
  Asked ops_{failure_}, pieces_{failure_};
  std::deque<Question> questions_;           // of ops: that which is answered, and the next
  std::uint32_t asked_ = 0, snapshots_ = 0;  // so many ops, snapshots
  std::vector<std::uint8_t> encoded_;        // the plan
  Members members_;
  const int exceptions_ = std::uncaught_exceptions();
  asio::io_context io_{1};
  asio::executor_work_guard<asio::io_context::executor_type> guard_{io_.get_executor()};
  std::shared_ptr<Listener> listener_;
  std::vector<std::unique_ptr<Rank>> ranks_;
  std::deque<Late> late_;  // those who have come twice: of the network's thread, as the next
  bool stopping_ = false;
  std::jthread thread_;
};

}  // namespace weft
