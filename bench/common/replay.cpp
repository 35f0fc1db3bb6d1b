#include "bench/common/replay.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <deque>
#include <thread>
#include <utility>

#include "host/memoryx/shards.hpp"
#include "sw/compiler/placement/loads.hpp"
#include "sw/compiler/stream/expand.hpp"
#include "sw/compiler/stream/stream_counts.hpp"

namespace weft::bench {
namespace {

constexpr std::uint32_t kCall = static_cast<std::uint32_t>(machine::Command::Call),
                        kEnd = static_cast<std::uint32_t>(machine::Command::CR);
constexpr std::size_t kWaiting = 2;  // ops between link and wafer

Clock::duration seconds(double s) {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(s));
}

/// A resource that is busy for given times, one after the other.
class Busy {
 public:
  /// Blocks until the work is done; returns its start time.
  Clock::time_point work(Clock::duration time) {
    const auto begin = std::max(Clock::now(), end_);
    end_ = begin + time;
    std::this_thread::sleep_until(end_);
    return begin;
  }
  Clock::time_point end() const { return end_; }

 private:
  Clock::time_point end_{};
};

compiler::Op op_of(std::uint16_t number, const std::string& name, compiler::Returns returns) {
  compiler::Op op;
  op.name = name;
  op.returns = returns;
  op.returned = {0, 0};
  op.commands.push_back(
      {machine::Message::command(machine::Command::Call, 0, number).data, compiler::StreamEntry::kCtrl});
  return op;
}

class ReplayWafer final : public Wafer {
 public:
  ReplayWafer(const compiler::Plan& plan, const ReplayTimes& times,
              std::function<void(Clock::time_point, Clock::time_point)> report)
      : plan_(plan), report_(std::move(report)), outlets_(2), delivered_(2) {
    std::size_t messages = 0, ops = 0;
    for (const compiler::Op& op : plan.ops) {
      if (!op.descriptor.empty()) messages += compiler::message_count(op), ++ops;
    }
    message_ = times.link / static_cast<double>(messages);
    op_ = seconds(times.wafer / static_cast<double>(ops));
  }

  const machine::WaferShape& shape() const override { return plan_.wafer; }
  void feed(std::span<const machine::Message> messages) override { feed(messages, messages.size()); }
  void feed_piece(const machine::StreamPiece& piece) override { feed(piece.messages, piece.size()); }
  void await(std::span<const std::uint64_t> totals) override {
    while (delivered_[0] < totals[0] || delivered_[1] < totals[1]) deliver_next();
  }
  void settle() override {}
  void reset() override {}
  std::vector<std::uint32_t>& outlet(int row) override { return outlets_[static_cast<std::size_t>(row)]; }
  std::vector<std::uint16_t> sram(int, int) const override { return {}; }
  WaferCounters counters() const override { return {}; }
  std::string flags() const override { return {}; }

 private:
  /// Sends `count` messages; `commands` contains all that are not data.
  void feed(std::span<const machine::Message> commands, std::size_t count) {
    link_.work(seconds(message_ * static_cast<double>(count)));
    for (const machine::Message& message : commands) {
      if (message.ctrl && message.data >> 24 == kCall) {
        at_ = message.data & 0xFFFF;
        const compiler::StreamDescriptor& descriptor = plan_.ops[at_].descriptor;
        left_ = descriptor.empty() ? 1 : descriptor.outputs->features();
      }
      if (!message.ctrl || message.data >> 24 != kEnd || --left_ > 0) continue;
      while (waiting_.size() >= kWaiting) deliver_next();
      compute(plan_.ops[at_]);
    }
    while (!waiting_.empty() && waiting_.front().end <= Clock::now()) deliver_next();
  }
  /// Starts an op when the ops before it are done.
  void compute(const compiler::Op& op) {
    const auto begin = std::max(Clock::now(), computed_);
    if (!op.descriptor.empty()) {
      computed_ = begin + op_;
      if (report_) report_(begin, computed_);
    }
    waiting_.push_back({&op, std::max(begin, computed_)});
  }
  /// Waits until the front op is done, and delivers its results.
  void deliver_next() {
    const auto [op, end] = waiting_.front();
    waiting_.pop_front();
    std::this_thread::sleep_until(end);
    const auto word = op->returns == compiler::Returns::Flags ? 0 : std::bit_cast<std::uint32_t>(1.0F);
    for (std::size_t r = 0; r < 2; ++r) {
      outlets_[r].insert(outlets_[r].end(), op->returned[r], word);
      delivered_[r] += op->returned[r];
    }
  }

  /// An op being computed or queued, and the time when it is done.
  struct Computed {
    const compiler::Op* op;
    Clock::time_point end;
  };
  const compiler::Plan& plan_;
  std::function<void(Clock::time_point, Clock::time_point)> report_;
  double message_ = 0;
  Clock::duration op_{};
  Busy link_;
  Clock::time_point computed_{};  // when all ops are done
  std::vector<std::vector<std::uint32_t>> outlets_;
  std::size_t at_ = 0;            // op whose messages are arriving
  int left_ = 0;                  ///< remaining outputs of this op
  std::deque<Computed> waiting_;  // the front one is being computed
  std::vector<std::uint64_t> delivered_;
};

class SleepingStore final : public ReplayStore {
 public:
  SleepingStore(const compiler::Plan& plan, const ReplayTimes& times)
      : inner_(memoryx::make_dram_store(plan.parameters)),
        shard_(seconds(times.update / static_cast<double>(memoryx::shard_count(plan.parameters)))) {}
  std::span<float> weights() override { return inner_->weights(); }
  std::span<float> second_moments() override { return inner_->second_moments(); }
  /// MemoryX calls this once per shard of an update.
  std::span<float> first_moments() override {
    if (replaying_) memory_.work(shard_);
    return inner_->first_moments();
  }
  void begin_replay() override { replaying_ = true; }

 private:
  std::unique_ptr<memoryx::ParameterStore> inner_;
  Clock::duration shard_;
  Busy memory_;
  std::atomic<bool> replaying_ = false;
};

}  // namespace

constexpr int kSide = 256;  // size of a layer's matrix, which is one shard
static_assert(kSide * kSide == memoryx::kShard);

compiler::Plan replay_plan(int layers) {
  compiler::Plan plan;
  plan.model = {.vocab = 8, .hidden = 4, .layers = 1, .heads = 1, .filter = 8, .seq = 4, .micro_batch = 4};
  plan.wafer = {.rows = 2, .cols = 2};
  plan.tokens_per_column = 8;
  plan.padded_seq = 4;
  plan.token_index = {0, 1, 2, 3, 4, 5, 6, 7};
  plan.row_constants.resize(2);
  plan.load = {machine::Message::command(machine::Command::Setreg, 0, 0)};
  const auto features =
      std::make_shared<const compiler::Space>(compiler::Space::interleaved(compiler::heaviest_first(kSide, {}), 2));
  const auto add = [&](const std::string& name, compiler::Returns returns, int tensor, bool reads) {
    compiler::Op op = op_of(static_cast<std::uint16_t>(plan.ops.size()), name, returns);
    if (reads) op.tensors = {tensor};
    if (tensor >= 0) {
      op.descriptor.values =
          reads ? compiler::StreamDescriptor::Values::Weights : compiler::StreamDescriptor::Values::Indices;
      op.descriptor.outputs = features;
      op.descriptor.lines = {{{.space = features,
                               .offset = static_cast<std::size_t>(tensor) * memoryx::kShard,
                               .in_stride = 1,
                               .out_stride = kSide}}};
    } else {
      op.commands.push_back({machine::Message::command(machine::Command::CR, 0, 0).data, compiler::StreamEntry::kCtrl});
    }
    if (returns == compiler::Returns::Gradient) op.returned = compiler::StreamCounts(op.descriptor).elements;
    plan.ops.push_back(std::move(op));
  };
  for (int t = 0; t < layers; ++t) {
    const std::string name = "h." + std::to_string(t);
    plan.tensors.push_back({name,
                            {kSide, kSide},
                            plan.parameters,
                            memoryx::kShard,
                            true,
                            0.02F,
                            0,
                            {network::Role::Hidden, network::Role::Hidden}});
    plan.parameters += memoryx::kShard;
    add(name, compiler::Returns::Nothing, t, true);
  }
  add("loss", compiler::Returns::Loss, -1, false);
  plan.ops.back().returned = {2 * 2 * 8, 0};
  plan.forward_ops = plan.ops.size();
  for (int t = layers - 1; t >= 0; --t) {
    add("h." + std::to_string(t) + ".dw", compiler::Returns::Gradient, t, false);
    add("h." + std::to_string(t) + ".dx", compiler::Returns::Nothing, t, true);
  }
  add("flags", compiler::Returns::Flags, -1, false);
  plan.ops.back().returned = {1, 1};
  return plan;
}

std::unique_ptr<Wafer> make_replay_wafer(const compiler::Plan& plan, const ReplayTimes& times,
                                         std::function<void(Clock::time_point, Clock::time_point)> computed) {
  return std::make_unique<ReplayWafer>(plan, times, std::move(computed));
}

std::unique_ptr<ReplayStore> make_replay_store(const compiler::Plan& plan, const ReplayTimes& times) {
  return std::make_unique<SleepingStore>(plan, times);
}

swarmx::MicroBatch replay_batch(const compiler::Plan& plan) {
  const std::vector<TokenId> ids(static_cast<std::size_t>(plan.model.micro_batch * plan.model.seq), 1);
  return {ids, ids};
}

}  // namespace weft::bench
