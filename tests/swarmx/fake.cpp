#include "tests/swarmx/fake.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "sw/base/invariant.hpp"
#include "tests/compiler/listed_stream.hpp"
#include "tests/random.hpp"

namespace weft::swarmx {
namespace {

using test::mix;

constexpr std::uint32_t kBig = 50000;  // elements of the tensor whose gradient takes several frames

/// A descriptor equal to listed_stream of rows in ascending order, except for the messages' indices. Neighboring
/// parameters form one input: a plan's length grows with its number of inputs, and it is sent to every process.
compiler::StreamDescriptor placed_stream(const std::vector<std::vector<std::uint64_t>>& rows,
                                         compiler::StreamDescriptor::Values values) {
  std::vector<std::pair<std::uint64_t, int>> elements;  // a parameter and its row
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (const std::uint64_t parameter : rows[r]) elements.emplace_back(parameter, static_cast<int>(r));
  std::ranges::sort(elements);
  const int count = static_cast<int>(rows.size());
  compiler::StreamDescriptor descriptor;
  descriptor.values = values;
  descriptor.outputs = std::make_shared<const compiler::Space>(compiler::Space::on_rows({0}, count));
  descriptor.lines.resize(1);
  for (std::size_t at = 0; at < elements.size();) {
    const std::uint64_t offset = elements[at].first;
    std::vector<int> rows_of;
    for (; at < elements.size() && elements[at].first == offset + rows_of.size(); ++at)
      rows_of.push_back(elements[at].second);
    descriptor.lines[0].push_back(
        {.space = std::make_shared<const compiler::Space>(compiler::Space::on_rows(rows_of, count)),
         .offset = offset,
         .in_stride = 1});
  }
  return descriptor;
}

class FakeWafer final : public Wafer {
 public:
  FakeWafer(const compiler::Plan& plan, const FakeBehaviour& behaviour)
      : plan_(plan), behaviour_(behaviour), random_(behaviour.seed), outlets_(2) {}

  const machine::WaferShape& shape() const override { return plan_.wafer; }

  void feed(std::span<const machine::Message> messages) override {
    if (feeds_++ == behaviour_.sleeps_after) sleep();
    delay();
    for (const machine::Message& message : messages) {
      counters_.cycles += 1;
      if (message.ctrl && message.data >> 24 == static_cast<unsigned>(machine::Command::Call)) {
        op_ = static_cast<int>(message.data & 0xFFFF);
        if (op_ == 0) state_ = between_;
        between_ = 0;
      }
      std::uint64_t& into = op_ >= 0 ? state_ : between_;
      into = mix(into ^ message.data) + (message.ctrl ? 1 : 0);
      if (message.ctrl && message.data >> 24 == static_cast<unsigned>(machine::Command::CR)) {  // the op's last message
        compute(static_cast<std::size_t>(op_));
        op_ = -1;
      }
    }
    if (behaviour_.seed == 0 || random_() % 3 == 0) deliver();
  }

  void await(std::span<const std::uint64_t> totals) override {
    delay();
    if (behaviour_.hangs_after >= 0 && feeds_ > behaviour_.hangs_after) throw WaferHang("tile 0,1 waits for nobody");
    deliver();
    for (std::size_t r = 0; r < totals.size(); ++r) invariant(delivered_[r] == totals[r], "fake: totals are right");
  }
  void settle() override { between_ = 0; }  // after loading
  void reset() override {
    op_ = -1;
    state_ = between_ = 0;
    counters_ = {};
    for (std::size_t r = 0; r < 2; ++r) {
      outlets_[r].clear();
      waiting_[r].clear();
      delivered_[r] = 0;
    }
  }
  std::vector<std::uint32_t>& outlet(int row) override { return outlets_[static_cast<std::size_t>(row)]; }
  std::vector<std::uint16_t> sram(int, int) const override { return {}; }
  bool count_progress(std::atomic<std::uint64_t>& count) override {
    progress_ = &count;
    return behaviour_.counts_progress;
  }
  WaferCounters counters() const override { return counters_; }
  std::string flags() const override { return "no route at 1,1"; }

 private:
  void sleep() {
    constexpr std::chrono::milliseconds kNap{20};
    for (auto left = behaviour_.sleep; left > left.zero(); left -= kNap) {
      std::this_thread::sleep_for(kNap);
      if (progress_ != nullptr && !behaviour_.hangs) ++*progress_;
    }
  }
  void delay() {
    if (behaviour_.each.count() > 0) std::this_thread::sleep_for(behaviour_.each);
    if (behaviour_.seed != 0) std::this_thread::sleep_for(std::chrono::microseconds(random_() % 400));
  }
  void compute(std::size_t index) {
    const compiler::Op& op = plan_.ops[index];
    for (std::size_t r = 0; r < 2; ++r) {
      for (std::size_t k = 0; k < op.returned[r]; ++k) {
        const std::uint64_t bits = mix(state_ ^ mix(index * 1000003 + r * 524287 + k));
        float value = static_cast<float>(static_cast<std::int32_t>(bits)) * 0x1p-30F;
        if (op.returns == compiler::Returns::Loss) value = k < op.returned[r] / 2 ? 1 + value * value : 3 + value;
        if (behaviour_.overflow_after >= 0 && feeds_ > behaviour_.overflow_after && k == 7) value = 1e30F;
        const bool flag = behaviour_.flag_after >= 0 && feeds_ > behaviour_.flag_after;
        waiting_[r].push_back(op.returns == compiler::Returns::Flags ? (flag ? 1 : 0)
                                                                     : std::bit_cast<std::uint32_t>(value));
      }
    }
    counters_.fma_lanes += 10;
  }
  void deliver() {
    for (std::size_t r = 0; r < 2; ++r) {
      outlets_[r].insert(outlets_[r].end(), waiting_[r].begin(), waiting_[r].end());
      delivered_[r] += waiting_[r].size();
      waiting_[r].clear();
    }
  }

  const compiler::Plan& plan_;
  FakeBehaviour behaviour_;
  std::mt19937 random_;
  std::atomic<std::uint64_t>* progress_ = nullptr;
  int feeds_ = 0;
  int op_ = -1;
  std::uint64_t state_ = 0, between_ = 0;
  std::vector<std::vector<std::uint32_t>> outlets_;
  std::vector<std::uint32_t> waiting_[2];
  std::uint64_t delivered_[2] = {};
  WaferCounters counters_;
};

}  // namespace

compiler::Plan fake_plan() {
  compiler::Plan plan;
  plan.model = {.vocab = 8, .hidden = 4, .layers = 1, .heads = 1, .filter = 8, .seq = 4, .micro_batch = 4};
  plan.wafer = {.rows = 2, .cols = 2};
  plan.tokens_per_column = 8;
  plan.padded_seq = 4;
  plan.token_index = {0, 1, 2, 3, 4, 5, 6, 7};
  plan.tensors = {{"wte.weight", {10, 5000}, 0, kBig, true, 0.02F, 0}, {"ln_f.weight", {100}, kBig, 100, false, 0, 1}};
  for (compiler::TensorInfo& tensor : plan.tensors) tensor.roles.resize(tensor.dims.size());
  plan.parameters = kBig + 100;
  plan.row_constants.resize(2);
  plan.load = {machine::Message::command(machine::Command::Setreg, 0, 0)};
  const char* names[] = {"forward", "loss", "head gradient", "embedding gradient", "flags"};
  const compiler::Returns returns[] = {compiler::Returns::Nothing, compiler::Returns::Loss, compiler::Returns::Gradient,
                                       compiler::Returns::Gradient, compiler::Returns::Flags};
  for (std::uint16_t i = 0; i < 5; ++i) {
    compiler::Op op;
    op.name = names[i];
    op.returns = returns[i];
    op.returned = {0, 0};
    op.commands.push_back({machine::Message::command(machine::Command::Call, 0, i).data, compiler::StreamEntry::kCtrl});
    const bool weights = i < 2;
    if (weights) op.tensors = {1 - i};
    const compiler::TensorInfo& tensor = plan.tensors[static_cast<std::size_t>(weights ? 1 - i : 0)];
    std::vector<std::vector<std::uint64_t>> elements(2);
    for (std::uint64_t k = 0; k < tensor.size; ++k) elements[k % 2].push_back(tensor.offset + k);
    op.descriptor = placed_stream(
        elements, weights ? compiler::StreamDescriptor::Values::Weights : compiler::StreamDescriptor::Values::Indices);
    plan.ops.push_back(std::move(op));
  }
  plan.forward_ops = 2;
  plan.ops[1].returned = {2 * 2 * 8, 0};
  std::vector<std::vector<std::uint64_t>> head(2), embedding(2);
  for (std::uint64_t k = 0; k < plan.parameters; ++k) head[k % 3 == 0 ? 1 : 0].push_back(k);
  for (std::uint64_t k = 0; k < 1000; ++k) embedding[k % 2].push_back(k);
  for (const auto& [op, elements] : {std::pair(2, &head), std::pair(3, &embedding)}) {
    compiler::return_gradients(plan.ops[static_cast<std::size_t>(op)], *elements);
    plan.ops[static_cast<std::size_t>(op)].descriptor =
        placed_stream(*elements, compiler::StreamDescriptor::Values::Indices);
  }
  plan.ops[4].returned = {1, 1};
  return plan;
}

std::unique_ptr<Wafer> make_fake_wafer(const compiler::Plan& plan, const FakeBehaviour& behaviour) {
  return std::make_unique<FakeWafer>(plan, behaviour);
}

GetBatch fake_data(const compiler::Plan& plan) {
  return [&plan](const BatchRequest& request) {
    const int sequences = !request.train && request.micro_batch == 4 ? 1 : plan.model.micro_batch;
    MicroBatch batch;
    for (int i = 0; i < sequences * plan.model.seq; ++i) {
      const std::uint64_t bits =
          mix(request.step * 1000 + request.micro_batch + (request.train ? 0 : 777) + 31337ULL * i);
      batch.inputs.push_back(bits % 8);
      batch.labels.push_back((bits >> 8) % 8);
    }
    return batch;
  };
}

SwarmOptions fake_swarm(const compiler::Plan& plan, int num_csx, int fanout, std::uint32_t micro_batches,
                        unsigned seed) {
  SwarmOptions options;
  options.num_csx = num_csx;
  options.fanout = fanout;
  options.micro_batches = micro_batches;
  options.timeout = std::chrono::seconds(5);
  options.make_wafer = [&plan, seed](int id) {
    return make_fake_wafer(plan, {.seed = seed == 0 ? 0 : seed * 100 + static_cast<unsigned>(id)});
  };
  options.get = fake_data(plan);
  return options;
}

}  // namespace weft::swarmx
