#include "host/swarmx/swarm.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <cmath>
#include <future>
#include <thread>
#include <utility>
#include <vector>

#include "host/memoryx/invariant.hpp"
#include "host/swarmx/collect.hpp"
#include "host/swarmx/hub.hpp"
#include "host/swarmx/loss.hpp"
#include "host/swarmx/node.hpp"
#include "host/swarmx/outbox.hpp"
#include "host/swarmx/payload.hpp"
#include "host/swarmx/stream.hpp"
#include "host/swarmx/tree.hpp"

namespace weft {

class Swarm::Impl {
 public:
  Impl(const Plan& plan, SwarmOptions options)
      : plan_(plan),
        options_(std::move(options)),
        collect_(plan, senders(options_)),
        stream_(plan),
        homes_(checked(options_)) {
    const TreeNode root = make_tree(options_.num_csx, options_.fanout);
    const Hub::Up up = [this](Frame frame) -> asio::awaitable<void> {
      collect_.add(frame);
      if (collect_.failed()) hub_->close();
      co_return;
    };
    hub_ = std::make_shared<Hub>(io_->get_executor(), kRoot, child_names(root), up);
    tcp::acceptor acceptor = listen();
    start(root, acceptor.local_endpoint(), kRoot);
    asio::co_spawn(*io_, hub_->accept(std::move(acceptor), options_.timeout), [this](std::exception_ptr error) {
      try {
        if (error) std::rethrow_exception(error);
      } catch (const SwarmError& failure) {
        fail(std::string("swarmx: ") + failure.what());
      }
      joined_.set_value();
    });
    network_ = std::jthread([this] { io_->run(); });
  }

  ~Impl() {
    const bool joined = joining_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
    if (joined && !collect_.failed()) {
      asio::co_spawn(*io_, hub_->down({.type = FrameType::Stop}), asio::detached);
    } else {
      io_->stop();
    }
    guard_.reset();
    network_.join();
    hub_.reset();
    io_.reset();  // closes what is left, so that every wafer's thread ends
  }

  StepResult run(bool train, std::uint64_t step, std::uint32_t micro_batches, MemoryX& memoryx) {
    invariant(micro_batches > 0, "a step has micro-batches");
    joining_.wait();
    const auto wafers = static_cast<std::uint32_t>(options_.num_csx);
    const std::uint32_t rounds = (micro_batches + wafers - 1) / wafers;
    const std::size_t ops = train ? plan_.ops.size() : plan_.forward_ops;
    if (train) memoryx.begin_step(micro_batches);
    collect_.begin(step, rounds, train ? &memoryx : nullptr);
    stream_.begin_step(rounds > 1);
    for (std::uint32_t round = 0; round < rounds; ++round) {
      Frame frame{.type = FrameType::Begin, .step = step, .round = round};
      send(frame.carry(encode_round({train, wafers, micro_batches})));
      for (std::size_t op = 0; op < ops; ++op) {
        stream_.op(op, memoryx, [&](Frame part) {
          part.step = step;
          part.round = round;
          send(std::move(part));
        });
      }
      send({.type = FrameType::End, .step = step, .round = round});
    }
    return result(collect_.wait(), rounds);
  }

  const Plan& plan_;
  SwarmOptions options_;

  struct Home {
    std::uint16_t port = 0;
    std::string name;
  };
  const Home& home(int wafer) const { return homes_.at(static_cast<std::size_t>(wafer)); }

 private:
  static constexpr const char* kRoot = "MemoryX";

  static std::string senders(const SwarmOptions& options) {
    std::string list;
    for (const std::string& name : child_names(make_tree(options.num_csx, options.fanout))) {
      list += (list.empty() ? "" : ", ") + name;
    }
    return list;
  }

  static std::size_t checked(const SwarmOptions& options) {
    make_tree(options.num_csx, options.fanout);  // throws if it cannot be
    return static_cast<std::size_t>(options.num_csx);
  }

  tcp::acceptor listen() { return {*io_, {asio::ip::address_v4::loopback(), 0}}; }

  /// Starts everything below `node`, which listens at `at`.
  void start(const TreeNode& node, const tcp::endpoint& at, const std::string& name) {
    for (const TreeNode& child : node.children) {
      if (!child.leaf()) {
        tcp::acceptor acceptor = listen();
        const tcp::endpoint below = acceptor.local_endpoint();
        asio::co_spawn(*io_, run_node(child, std::move(acceptor), at, name, options_.timeout), asio::detached);
        start(child, below, child.name());
        continue;
      }
      homes_[static_cast<std::size_t>(child.first)] = {at.port(), name};
      if (options_.local_wafers >= 0 && child.first >= options_.local_wafers) continue;
      LeafOptions leaf{child.first, "127.0.0.1", at.port(), name, options_.make_wafer, options_.get};
      wafers_.emplace_back([this, leaf = std::move(leaf)] { run_wafer(leaf); });
    }
  }

  /// A local wafer's thread. It may end before it has a connection to say why: then it does so here.
  void run_wafer(const LeafOptions& leaf) {
    try {
      run_leaf(plan_, leaf);
    } catch (const boost::system::system_error& error) {
      collect_.add(error_frame(ErrorKind::Swarm, "wafer " + std::to_string(leaf.id) + ": " + error.code().message() +
                                                     ". HINT: use fewer wafers (runconfig.num_csx)."));
    }
  }

  /// Waits while the tree is full. Throws what went wrong meanwhile.
  void send(Frame frame) {
    outbox_.push(std::move(frame));
    collect_.check();
  }

  void fail(const std::string& what) {
    collect_.add(error_frame(ErrorKind::Swarm, what));
    hub_->close();
  }

  static StepResult result(const Collected& sum, std::uint32_t rounds) {
    StepResult result;
    result.tokens = static_cast<std::uint64_t>(sum.tokens);
    result.loss_sum = sum.loss;
    result.loss = std::ldexp(static_cast<double>(sum.loss), -kLossBits) / static_cast<double>(sum.tokens);
    result.rounds = rounds;
    result.sim_cycles = sum.cycles;
    result.fma_lanes = sum.fma_lanes;
    result.beats = sum.beats;
    result.edge_messages = sum.edge_messages;
    return result;
  }

  Collect collect_;
  Stream stream_;
  std::vector<Home> homes_;  // [wafer]: whom it connects to
  std::vector<std::jthread> wafers_;
  std::unique_ptr<asio::io_context> io_ = std::make_unique<asio::io_context>(1);
  asio::executor_work_guard<asio::io_context::executor_type> guard_{io_->get_executor()};
  std::shared_ptr<Hub> hub_;
  Outbox outbox_{io_->get_executor(), [this](Frame frame) { return hub_->down(std::move(frame)); }};
  std::promise<void> joined_;  // or failed to
  std::future<void> joining_ = joined_.get_future();
  std::jthread network_;
};

Swarm::Swarm(const Plan& plan, SwarmOptions options) : impl_(std::make_unique<Impl>(plan, std::move(options))) {}
Swarm::~Swarm() = default;

StepResult Swarm::step(std::uint64_t step, MemoryX& memoryx) {
  StepResult result = impl_->run(true, step, impl_->options_.micro_batches, memoryx);
  invariant(result.tokens > 0, "a global batch has tokens");
  result.applied = memoryx.apply(step, result.tokens);
  return result;
}

StepResult Swarm::evaluate(std::uint64_t step, std::uint32_t micro_batches, MemoryX& memoryx) {
  return impl_->run(false, step, micro_batches, memoryx);
}

int Swarm::wafers() const { return impl_->options_.num_csx; }
std::uint16_t Swarm::port(int wafer) const { return impl_->home(wafer).port; }
const std::string& Swarm::parent(int wafer) const { return impl_->home(wafer).name; }

}  // namespace weft
