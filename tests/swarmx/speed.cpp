/// Prints the cost of the tree: swarmx_speed [million parameters]. Wafers without computation receive a stream of all
/// parameters and return a gradient of each, one micro-batch per wafer.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <span>

#include "sw/compiler/placement/loads.hpp"
#include "sw/compiler/stream/stream_counts.hpp"
#include "tests/swarmx/fake.hpp"

namespace weft::swarmx {
namespace {

class NullWafer final : public Wafer {
 public:
  explicit NullWafer(const compiler::Plan& plan) : plan_(plan), outlets_(static_cast<std::size_t>(plan.wafer.rows)) {}
  const machine::WaferShape& shape() const override { return plan_.wafer; }
  void feed(std::span<const machine::Message>) override {}
  void await(std::span<const std::uint64_t>) override {
    for (const compiler::Op& op : plan_.ops) {
      for (std::size_t r = 0; r < op.returned.size(); ++r)
        outlets_[r].resize(outlets_[r].size() + op.returned[r], 0x3F800000);
    }
  }
  void settle() override {}
  void reset() override {
    for (auto& words : outlets_) words.clear();
  }
  std::vector<std::uint32_t>& outlet(int row) override { return outlets_[static_cast<std::size_t>(row)]; }
  std::vector<std::uint16_t> sram(int, int) const override { return {}; }
  WaferCounters counters() const override { return {}; }
  std::string flags() const override { return {}; }

 private:
  const compiler::Plan& plan_;
  std::vector<std::vector<std::uint32_t>> outlets_;
};

compiler::Plan large_plan(std::uint32_t parameters) {
  compiler::Plan plan = fake_plan();
  parameters -= parameters % 16;
  plan.parameters = parameters;
  plan.tensors = {{"t", {static_cast<int>(parameters)}, 0, parameters, true, 0.02F, 0}};
  plan.ops.resize(3);
  plan.ops[0].tensors = {0};
  plan.ops[1].tensors = {};
  plan.ops[1].descriptor = {};
  // A matrix of 16 inputs on two rows.
  compiler::StreamDescriptor descriptor;
  descriptor.outputs = std::make_shared<const compiler::Space>(
      compiler::Space::interleaved(compiler::heaviest_first(static_cast<int>(parameters / 16), {}), 2));
  descriptor.lines = {{{.space = std::make_shared<const compiler::Space>(
                            compiler::Space::interleaved(compiler::heaviest_first(16, {}), 2)),
                        .in_stride = 1,
                        .out_stride = 16}}};
  plan.ops[0].descriptor = plan.ops[2].descriptor = descriptor;
  plan.ops[2].descriptor.values = compiler::StreamDescriptor::Values::Indices;
  plan.ops[2].returned = compiler::StreamCounts(plan.ops[2].descriptor).elements;
  return plan;
}

void measure(const compiler::Plan& plan, int num_csx) {
  SwarmOptions options = fake_swarm(plan, num_csx, 2, static_cast<std::uint32_t>(num_csx), 0);
  options.make_wafer = [&](int) { return std::make_unique<NullWafer>(plan); };
  Swarm swarm(plan, options);
  memoryx::MemoryXOptions two;
  two.threads = 2;
  memoryx::MemoryX memoryx(plan, two);
  swarm.step(0, memoryx);
  double best = 1e9;
  for (std::uint64_t step = 1; step < 6; ++step) {
    const auto start = std::chrono::steady_clock::now();
    swarm.step(step, memoryx);
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  const double n = static_cast<double>(plan.parameters);
  std::printf("%2d wafers, fan-out 2: %7.1f ms a step, %6.1f million parameters/s (down and up)\n", num_csx, best * 1e3,
              n / best / 1e6);
}

}  // namespace
}  // namespace weft::swarmx

int main(int argc, char** argv) {
  const auto millions = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 4;
  const weft::compiler::Plan plan = weft::swarmx::large_plan(static_cast<std::uint32_t>(millions * 1000000));
  for (const int num_csx : {1, 2, 4, 8}) weft::swarmx::measure(plan, num_csx);
  std::printf("a step of nothing:\n");
  const weft::compiler::Plan tiny = weft::swarmx::large_plan(96);
  weft::swarmx::measure(tiny, 1);
}
