#include "host/swarmx/root/swarm.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cmath>
#include <exception>
#include <map>
#include <optional>
#include <utility>

#include "host/swarmx/base/error.hpp"
#include "host/swarmx/link/outbox.hpp"
#include "host/swarmx/protocol/loss.hpp"
#include "host/swarmx/protocol/memoryx_client.hpp"
#include "host/swarmx/protocol/payload.hpp"
#include "host/swarmx/protocol/slow_part.hpp"
#include "host/swarmx/root/collect.hpp"
#include "host/swarmx/root/network.hpp"
#include "host/swarmx/root/pass_stream.hpp"
#include "sw/base/failure.hpp"
#include "sw/base/invariant.hpp"

namespace weft::swarmx {
namespace {

StepResult result_of(const Collected& sum) {
  StepResult result;
  invariant(!sum.losses.empty() && sum.losses.back().tokens > 0, "a step returns a loss");
  result.tokens = static_cast<std::uint64_t>(sum.losses.back().tokens);
  result.losses = sum.losses;
  for (const LossSum& loss : sum.losses) result.loss += loss.mean();
  result.passes = sum.passes;
  result.repeated = sum.repeated;
  result.sim_cycles = sum.cycles;
  result.fma_lanes = sum.fma_lanes;
  result.beats = sum.beats;
  result.edge_messages = sum.edge_messages;
  return result;
}

/// Adds to the cause of wafers below a node that all of the node's wafers are slow, if they are several.
void note_slow_nodes(std::vector<RankStatus>& wafers) {
  std::map<std::string, std::pair<std::size_t, std::size_t>> nodes;  // [name]: its wafers, and slow ones
  for (const RankStatus& wafer : wafers) {
    auto& [all, slow] = nodes[wafer.node];
    all += wafer.is_connected() ? 1 : 0;
    slow += wafer.state == RankStatus::State::Slow ? 1 : 0;
  }
  for (RankStatus& wafer : wafers) {
    const auto [all, slow] = nodes[wafer.node];
    if (wafer.state == RankStatus::State::Slow && !wafer.node.empty() && all == slow && all > 1)
      wafer.why += "; so are all wafers below " + wafer.node;
  }
}

/// Makes failures of `memory` the run's failure while this lives.
class MemoryFailureGuard {
 public:
  MemoryFailureGuard(MemoryXClient& memory, FirstFailure& run) : memory_(memory) { memory_.report_failures_to(&run); }
  ~MemoryFailureGuard() { memory_.report_failures_to(nullptr); }
  MemoryFailureGuard(const MemoryFailureGuard&) = delete;
  MemoryFailureGuard& operator=(const MemoryFailureGuard&) = delete;

 private:
  MemoryXClient& memory_;
};

/// A step that MemoryX has begun, and that is abandoned unless keep() is called.
class BegunStep {
 public:
  BegunStep(MemoryXClient& memory, const memoryx::UpcomingStep& upcoming) : memory_(&memory) {
    memory.begin_step(upcoming);
  }
  ~BegunStep() {
    if (memory_ != nullptr) memory_->abandon_step();
  }
  BegunStep(const BegunStep&) = delete;
  BegunStep& operator=(const BegunStep&) = delete;
  void keep() { memory_ = nullptr; }

 private:
  MemoryXClient* memory_;
};

}  // namespace

class Swarm::Impl {
 public:
  Impl(const compiler::Plan& plan, SwarmOptions options) : plan_(plan), options_(std::move(options)) {}
  /// An exception that leaves the swarm's scope is a failure of the run, wherever it was thrown: other processes are
  /// not notified that the run is over.
  ~Impl() {
    if (std::uncaught_exceptions() > exceptions_) run_.set(std::make_exception_ptr(SwarmError("the run has failed")));
    network_.end();
  }

  /// Runs `work`. Any failure, in it or elsewhere, is the run's failure, except WaitEnded, after which the swarm ends
  /// normally. No thread uses `memory` afterwards: a contribution that is being added to it is waited for, and is woken
  /// by a failure of `memory`.
  template <class Work>
  StepResult guarded(MemoryXClient& memory, Work work) {
    const MemoryFailureGuard watch(memory, run_);
    StepResult result;
    std::exception_ptr left;
    run_.guard([&] {
      try {
        result = work();
      } catch (const WaitEnded&) {
        left = std::current_exception();
      }
    });
    collect_.end();
    run_.check();
    if (left) std::rethrow_exception(left);
    return result;
  }

  /// Computes the sums over a step's micro-batches.
  StepResult sums(std::uint64_t step, MemoryXClient& memory, std::function<void()> meanwhile = {}) {
    return guarded(memory, [&] { return run(true, options_.micro_batches, step, memory, std::move(meanwhile)); });
  }

  /// Begins the update. A member that is lost from here on is noticed by the next step; otherwise this step would be
  /// reported as failed although its weights have changed. An exception thrown here is the run's failure; any other one
  /// waits for the next step.
  memoryx::Applied apply(std::uint64_t step, MemoryXClient& memory, std::uint64_t tokens) {
    const StepClock::In updates(clock_, Part::Update);
    try {
      return memory.apply(step, tokens);
    } catch (...) {
      run_.set(std::current_exception());
      throw;
    }
  }

  /// Describes the coming step. `tokens` is the number of all labels: its users must have data in which every label
  /// counts.
  memoryx::UpcomingStep upcoming(std::uint64_t step) const {
    const std::uint32_t micro_batches = options_.micro_batches;
    const auto of_one = static_cast<std::uint64_t>(plan_.sequences() * plan_.model.seq);
    return {.step = step,
            .micro_batches = micro_batches,
            .passes = passes_of(micro_batches),
            .tokens = micro_batches * of_one};
  }

  /// Throws the run's failure, if any.
  void check() const { run_.check(); }

  /// Ends the swarm so that remote members take its root for lost, and reconnect.
  void give_way() { run_.set(std::make_exception_ptr(SwarmError("another swarm takes over"))); }

  StepResult run(bool train, std::uint32_t micro_batches, std::uint64_t step, MemoryXClient& memory,
                 std::function<void()> meanwhile = {}) {
    network_.stalls().begin();
    collect_.take_reduced();  // drops that of a failed step
    collect_.begin(step, train, micro_batches, train ? &memory : nullptr);
    passes_.begin_step(passes_of(micro_batches) > 1 || !all_local(), std::move(meanwhile));
    std::uint32_t given = 0;
    while (const auto next = waited()) {
      const StepClock::In streams(clock_, Part::Stream);
      given += static_cast<std::uint32_t>(next->tasks.size());
      if (next->late.empty()) {
        passes_.send({train, next->tasks}, {step, next->pass}, given == micro_batches, memory);
        collect_.set_trials(passes_.bytes() <= NodeIoLimits().behind);
      } else {
        Frame unmerged{.type = FrameType::Unmerged};
        outbox_.push(unmerged.carry(encode_member_ids(next->late)));
      }
    }
    if (clock_) clock_->reduced(collect_.take_reduced());
    return result_of(collect_.sum());
  }

  SwarmStatus status() {
    std::vector<Members::Member> members = network_.members().all();
    collect_.add_activity(members);
    SwarmStatus result;
    for (Members::Member& member : members) result.wafers.push_back(std::move(member.status));
    note_slow_nodes(result.wafers);
    result.stall = network_.stalls().longest();
    result.data = network_.data();
    result.nodes = network_.nodes();
    return result;
  }

  std::uint32_t passes_of(std::uint32_t micro_batches) const {
    invariant(micro_batches > 0, "a step has micro-batches");
    return (micro_batches - 1) / static_cast<std::uint32_t>(options_.num_csx) + 1;
  }

  const compiler::Plan& plan_;
  SwarmOptions options_;
  StepClock* const clock_ = options_.clock.get();

 private:
  std::optional<Root::Next> waited() {
    const StepClock::In waits(clock_, Part::Compute);
    return collect_.next();
  }

  void wake() noexcept {
    network_.wake();
    collect_.wake();
    outbox_.wake();
  }
  /// Takes a frame that is sent up. Gradients are added in a thread of their own: the network's thread continues to
  /// read, and to send heartbeats, however long MemoryX takes.
  asio::awaitable<void> up(Frame frame) {
    std::optional<Collect::Pending> gradient = collect_.take(frame);
    if (!gradient) co_return;
    auto add = [pending = std::move(*gradient)]() mutable -> asio::awaitable<void> {
      Collect::Pending now = std::move(pending);  // ends with the addition
      now.add();
      co_return;
    };
    gradient.reset();
    co_await asio::co_spawn(adder_.get_executor(), std::move(add), asio::use_awaitable);
  }

  FirstFailure run_{[this] { wake(); }};
  bool all_local() const { return options_.local_wafers < 0 || options_.local_wafers == options_.num_csx; }
  CollectOptions collect_options() {
    return {.wafers = static_cast<std::size_t>(options_.awaited > 0 ? options_.awaited : options_.num_csx),
            .min_wafers = static_cast<std::size_t>(options_.min_csx),
            .timeout = options_.timeout,
            .dispatch = {.straggler = all_local() ? 0 : options_.straggler,
                         .disconnect = Link::kPatience * options_.silence},
            .waits = [this](std::optional<std::chrono::milliseconds> most) { network_.log_missing(most); },
            .leave = options_.leave,
            .disconnect = [this](std::uint32_t member_id) { disconnect(member_id); },
            .clock = clock_};
  }
  /// Closes the connection of a wafer that stays slow; one below a node is disconnected by the node.
  void disconnect(std::uint32_t member_id) {
    std::vector<Members::Member> members = network_.members().all();
    collect_.add_activity(members, true);
    for (const Members::Member& member : members) {
      if (member.member_id != member_id || !member.status.node.empty()) continue;
      asio::post(network_.executor(), [this, member_id, why = disconnect_text(member.status)] {
        network_.root().disconnect(member_id, why);
      });
    }
  }

  Collect collect_{plan_, run_, collect_options(), [this] { return network_.too_few(); }};
  const int exceptions_ = std::uncaught_exceptions();

 public:
  Network network_{plan_,
                   options_,
                   run_,
                   [this](Frame frame) { return up(std::move(frame)); },
                   [this](std::uint32_t member_id) { collect_.join(member_id); },
                   [this](std::uint32_t pass, std::span<const std::uint32_t> micro_batches) {
                     collect_.returned(pass, micro_batches);
                   }};

 private:
  Outbox outbox_{network_.executor(), run_, [this](Frame frame) { return network_.root().down(std::move(frame)); },
                 clock_};
  PassStream passes_{plan_, options_, [this](const BatchRequest& wanted) { return network_.batch(wanted); },
                     [this](Frame frame) { outbox_.push(std::move(frame)); }};
  asio::thread_pool adder_{1};  // last: ends before the network, to whose executor it returns
};

Swarm::Swarm(const compiler::Plan& plan, SwarmOptions options)
    : impl_(std::make_unique<Impl>(plan, std::move(options))) {
  impl_->network_.start();
}
Swarm::~Swarm() = default;

StepResult Swarm::step(std::uint64_t step, MemoryXClient& memory, std::function<void()> meanwhile,
                       const std::function<void(double loss)>& check_loss) {
  impl_->check();
  BegunStep begun(memory, impl_->upcoming(step));                       // MemoryX learns what will follow
  StepResult result = impl_->sums(step, memory, std::move(meanwhile));  // weights go down, gradients up
  if (check_loss) check_loss(result.loss);                              // a loss that has jumped changes nothing
  begun.keep();                                                         // all that the step needs has arrived
  result.applied = impl_->apply(step, memory, result.tokens);           // the update begins
  return result;
}

StepResult Swarm::step(std::uint64_t step, memoryx::MemoryX& memoryx, std::function<void()> meanwhile,
                       const std::function<void(double loss)>& check_loss) {
  LocalMemoryXClient memory(impl_->plan_, memoryx);
  return this->step(step, memory, std::move(meanwhile), check_loss);
}

StepResult Swarm::gradient(std::uint64_t step, memoryx::MemoryX& memoryx) {
  impl_->check();
  memoryx.begin_step(impl_->options_.micro_batches);
  LocalMemoryXClient memory(impl_->plan_, memoryx);
  return impl_->sums(step, memory);
}

void Swarm::give_way() { impl_->give_way(); }

StepResult Swarm::evaluate(std::uint64_t step, std::uint32_t micro_batches, MemoryXClient& memory) {
  return impl_->guarded(memory, [&] { return impl_->run(false, micro_batches, step, memory); });
}

StepResult Swarm::evaluate(std::uint64_t step, std::uint32_t micro_batches, memoryx::MemoryX& memoryx) {
  LocalMemoryXClient memory(impl_->plan_, memoryx);
  return evaluate(step, micro_batches, memory);
}

SwarmStatus Swarm::status() const { return impl_->status(); }
int Swarm::wafers() const { return impl_->options_.num_csx; }
std::uint16_t Swarm::port() const { return impl_->network_.port(); }

}  // namespace weft::swarmx
