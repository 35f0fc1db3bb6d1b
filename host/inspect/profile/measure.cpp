#include "host/inspect/profile/measure.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

#include "host/swarmx/protocol/payload.hpp"
#include "host/swarmx/tree/contribution_builder.hpp"
#include "host/swarmx/tree/reducer.hpp"
#include "sw/compiler/stream/expand.hpp"

namespace weft::inspect::profile {
namespace {

class Measurement {
 public:
  Measurement(const compiler::Plan& plan, memoryx::MemoryX& memoryx, CountingWafer& wafer,
              std::function<void(std::uint64_t)> done)
      : plan_(plan),
        memoryx_(memoryx),
        wafer_(wafer),
        model_(make_model_wafer(plan.wafer)),
        contributions_(plan, wafer.wafer()),
        reducer_(plan),
        done_(std::move(done)) {
    reducer_.join("wafer 0", {0}, true);
    result_.wafer = plan.wafer;
    result_.phases.resize(plan.ops.size() + 1);
    result_.phases[0].name = "tokens";
    for (std::size_t op = 0; op < plan.ops.size(); ++op) result_.phases[op + 1].name = plan.ops[op].name;
  }

  Profile run(const data::Batch& batch, std::uint64_t step) {
    result_.step = step + 1;
    const auto sequences = static_cast<int>(batch.inputs.size()) / plan_.model.seq;
    load();
    memoryx_.begin_step(1);
    begin_round(step);
    contributions_.begin(plan_.ops.size(), sequences, 0, batch.labels);
    const compiler::DropoutSamples samples = plan_.samples(step, 0);
    phase(0, plan_.tokens(batch.inputs, batch.labels, batch.class_weight, &samples));
    std::vector<machine::Message> messages;
    for (std::size_t op = 0; op < plan_.ops.size(); ++op) {
      const double seconds = time([&] {
        memoryx_.wait(plan_.ops[op].tensors);
        compiler::expand(plan_.ops[op], memoryx_.parameters(), messages);
      });
      did(HostWork::Who::Stream, "expand " + plan_.ops[op].name, seconds);
      phase(op + 1, messages);
      take(step);
    }
    wafer_.wafer().await(contributions_.totals());
    wafer_.wafer().settle();
    wafer_.end();
    take(step);
    const double seconds = time([&] {
      memoryx_.apply(step, tokens_);
      memoryx_.store();  // waits for the update
    });
    did(HostWork::Who::Sums, "apply", seconds);
    return std::move(result_);
  }

 private:
  template <class Work>
  static double time(Work work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  void did(HostWork::Who who, std::string what, double seconds) {
    result_.host.push_back({who, std::move(what), wafer_.cycles(), seconds});
  }

  void load() {
    for (Wafer* wafer : {&wafer_.wafer(), model_.get()}) {
      wafer->feed(plan_.load);
      wafer->settle();
    }
    wafer_.begin(result_.phases);
    first_ = wafer_.cycles();
  }

  void begin_round(std::uint64_t step) {
    swarmx::Frame frame{.type = swarmx::FrameType::Begin, .step = step};
    reducer_.begin(frame.carry(swarmx::encode_pass({.train = true, .tasks = {{.member_id = 0, .micro_batch = 0}}})));
  }

  void phase(std::size_t number, const std::vector<machine::Message>& messages) {
    const std::uint64_t before = model_->counters().fma_lanes;
    model_->feed(messages);
    model_->settle();
    for (int row = 0; row < plan_.wafer.rows; ++row) model_->outlet(row).clear();
    result_.phases[number].multiply_adds = model_->counters().fma_lanes - before;
    wafer_.phase(messages);
    if (done_) done_(wafer_.cycles() - first_);
  }

  /// Passes the words returned so far through the tree into MemoryX's sums.
  void take(std::uint64_t step) {
    std::vector<swarmx::Frame> frames;
    const double seconds = time([&] { contributions_.take(frames); });
    if (frames.empty()) return;
    did(HostWork::Who::Tree, "collect " + plan_.ops[frames.front().op].name, seconds);
    for (swarmx::Frame& frame : frames) {
      const std::string& name = plan_.ops[frame.op].name;
      frame.step = step;
      std::vector<swarmx::Frame> sums;
      did(HostWork::Who::Tree, "reduce " + name, time([&] { sums = reducer_.add(0, frame); }));
      if (sums.size() != 1) throw std::logic_error("the sum of one wafer is not complete");
      const swarmx::Frame& sum = sums.front();
      const swarmx::Contribution values = swarmx::decode_contribution(sum);
      if (sum.type == swarmx::FrameType::Loss)
        tokens_ += static_cast<std::uint64_t>(values.values[swarmx::kLossTokens]);
      if (sum.type != swarmx::FrameType::Gradient) continue;
      did(HostWork::Who::Sums, "sum " + name,
          time([&] { memoryx_.add(sum.op, std::size_t{sum.part} * swarmx::kPartValues, values.fixed(fixed_)); }));
    }
  }

  const compiler::Plan& plan_;
  memoryx::MemoryX& memoryx_;
  CountingWafer& wafer_;
  std::unique_ptr<Wafer> model_;
  swarmx::ContributionBuilder contributions_;
  swarmx::Reducer reducer_;
  std::vector<std::int64_t> fixed_;
  Profile result_;
  std::function<void(std::uint64_t)> done_;
  std::uint64_t tokens_ = 0, first_ = 0;
};

}  // namespace

Profile measure(const compiler::Plan& plan, memoryx::MemoryX& memoryx, const data::Batch& batch, std::uint64_t step,
                CountingWafer& wafer, const std::function<void(std::uint64_t)>& done) {
  return Measurement(plan, memoryx, wafer, done).run(batch, step);
}

}  // namespace weft::inspect::profile
