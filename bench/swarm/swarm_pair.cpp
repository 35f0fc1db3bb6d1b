#include "bench/swarm/swarm_pair.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <functional>
#include <utility>
#include <vector>

#include "bench/common/processes.hpp"
#include "bench/common/replay.hpp"
#include "host/memoryx/fixed_point.hpp"
#include "host/swarmx/auth/listener.hpp"
#include "host/swarmx/protocol/batch.hpp"
#include "host/swarmx/protocol/plan_frames.hpp"
#include "host/swarmx/tree/node_io.hpp"
#include "host/swarmx/tree/root.hpp"
#include "sw/base/crc32c.hpp"
#include "sw/compiler/plan/plan_file.hpp"

namespace weft::bench {
namespace {

namespace asio = boost::asio;

constexpr std::chrono::minutes kPairSilence{5};  // a connection may be idle while others are measured

/// A wafer that returns all words at once, with the value 1.
class NullWafer final : public Wafer {
 public:
  explicit NullWafer(const machine::WaferShape& shape) : shape_(shape), outlets_(rows()), returned_(rows()) {}
  const machine::WaferShape& shape() const override { return shape_; }
  void feed(std::span<const machine::Message>) override {}
  void feed_piece(const machine::StreamPiece&) override {}
  void await(std::span<const std::uint64_t> totals) override {
    for (std::size_t r = 0; r < rows(); ++r) {
      outlets_[r].resize(outlets_[r].size() + totals[r] - returned_[r], kOne);
      returned_[r] = totals[r];
    }
  }
  void settle() override {}
  void reset() override {}
  std::vector<std::uint32_t>& outlet(int row) override { return outlets_[static_cast<std::size_t>(row)]; }
  std::vector<std::uint16_t> sram(int, int) const override { return {}; }
  WaferCounters counters() const override { return {}; }
  std::string flags() const override { return {}; }

 private:
  static constexpr std::uint32_t kOne = 0x3F800000;
  std::size_t rows() const { return static_cast<std::size_t>(shape_.rows); }
  machine::WaferShape shape_;
  std::vector<std::vector<std::uint32_t>> outlets_;
  std::vector<std::uint64_t> returned_;
};

/// A replay plan without the op that returns flags, which are not gradients.
compiler::Plan plan_of_sums() {
  compiler::Plan plan = replay_plan(kPairLayers);
  plan.ops.pop_back();
  return plan;
}

class SwarmPair final : public Pair {
 public:
  explicit SwarmPair(std::shared_ptr<const swarmx::Credentials> credentials)
      : child_({.make_wafer = [this](int) { return std::make_unique<NullWafer>(plan_.wafer); },
                .join = {.credentials = credentials, .job = "bench", .silence = kPairSilence}}),
        root_(plan_, {.straggler = 0}),
        sums_(plan_.ops.size() * 2 * swarmx::kPartValues) {
    const std::vector<float> ones(plan_.parameters, 1);
    swarmx::OpFrames frames(plan_);
    for (std::size_t op = 0; op < kPairLayers; ++op)
      frames.make(op, ones, [this](swarmx::Frame frame) {
        if (!weights_.empty()) frame.payload = weights_[0].payload;  // reuses one payload, like the plain sender
        weights_.push_back(std::move(frame));
      });
    if (weights_.size() != kPairLayers || weights_[0].bytes().size() != kDownBytes)
      throw std::logic_error("a layer's weights do not fill a frame");
    node_io_ = std::make_shared<swarmx::NodeIo>(io_.get_executor(), run_, plan_, "MemoryX",
                                                [this](swarmx::Frame frame) { return take(std::move(frame)); });
    swarmx::Guests guests;
    guests.admit = [](const swarmx::Hello&) { return std::string(); };
    guests.arrived = [this](const swarmx::Hello& who, std::unique_ptr<swarmx::Channel> channel) {
      asio::co_spawn(io_, welcome(who.name, std::move(channel)), run_.ending());
    };
    const swarmx::Hello here{.version = swarmx::kSwarmVersion, .job = "bench", .role = "wafer", .name = ""};
    listener_ = std::make_shared<swarmx::Listener>(io_.get_executor(), run_, credentials, here, std::move(guests),
                                                   swarmx::ListenerOptions{});
    child_.join(listener_->port());
    asio::co_spawn(io_, listener_->open(), run_.ending());
    until_stopped();
  }
  ~SwarmPair() override {
    listener_->close();
    node_io_->close();
  }

  double down() override { return step(false, kDownRounds); }
  double up() override { return step(true, kUpRounds); }

 private:
  /// Evaluation sends only weights, training only gradients: a wafer that receives no ops completes at once.
  double step(bool train, std::uint32_t micro_batches) {
    const auto begin = Clock::now();
    root_.begin(step_, train, micro_batches);
    asio::co_spawn(io_, stream(train), run_.ending());
    until_stopped();
    ++step_;
    return std::chrono::duration<double>(Clock::now() - begin).count();
  }
  void until_stopped() {
    io_.restart();
    io_.run();
    run_.check();
  }

  asio::awaitable<void> welcome(std::string name, std::unique_ptr<swarmx::Channel> channel) {
    swarmx::Link link(std::move(channel), name, kPairSilence);
    const std::vector<swarmx::Frame> plan = swarmx::plan_frames(compiler::encode_plan({plan_, {}, 0}), 0);
    for (const swarmx::Frame& frame : plan) co_await link.write(frame);
    std::vector<std::uint32_t> member_ids(1);
    node_io_->adopt(std::move(name), std::move(member_ids), true, std::move(link));
    root_.join(0);
    io_.stop();
  }

  asio::awaitable<void> stream(bool train) {
    while (const auto next = root_.next(Clock::now())) {
      const auto place = [&](swarmx::Frame& frame) -> swarmx::Frame& {
        frame.step = step_;
        frame.pass = next->pass;
        return frame;
      };
      swarmx::Frame begin{.type = swarmx::FrameType::Begin};
      place(begin).carry(swarmx::encode_pass({train, next->tasks}));
      co_await node_io_->down(std::move(begin));
      swarmx::Frame batch{.type = swarmx::FrameType::Batch};
      place(batch).carry(swarmx::encode_batch(replay_batch(plan_)));
      co_await node_io_->down(std::move(batch));
      for (swarmx::Frame op : train ? std::vector<swarmx::Frame>() : weights_) {
        op.crc = crc32c(op.bytes());
        place(op);
        co_await node_io_->down(std::move(op));
      }
      swarmx::Frame end{.type = swarmx::FrameType::End};
      place(end);
      co_await node_io_->down(std::move(end));
    }
  }

  asio::awaitable<void> take(swarmx::Frame frame) {
    const auto used = root_.handle(frame, Clock::now());
    if (used && frame.type == swarmx::FrameType::Gradient) {
      const auto into = std::span(sums_).subspan((std::size_t{frame.op} * 2 + frame.part) * swarmx::kPartValues);
      if (!used->add_to(into.first(used->size()))) throw std::runtime_error("a sum has overflowed");
    }
    if (root_.complete()) io_.stop();
    co_return;
  }

  const compiler::Plan plan_ = plan_of_sums();
  WaferProcess child_;
  FirstFailure run_{[this] { io_.stop(); }};
  asio::io_context io_{1};
  swarmx::Root root_;
  std::uint64_t step_ = 0;
  std::vector<std::int64_t> sums_;
  std::vector<swarmx::Frame> weights_;
  std::shared_ptr<swarmx::NodeIo> node_io_;
  std::shared_ptr<swarmx::Listener> listener_;
};

}  // namespace

std::unique_ptr<Pair> make_swarm_pair(std::shared_ptr<const swarmx::Credentials> credentials) {
  return std::make_unique<SwarmPair>(std::move(credentials));
}

}  // namespace weft::bench
