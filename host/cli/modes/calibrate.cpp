#include "host/cli/modes/calibrate.hpp"

#include <chrono>

#include "host/planning/phases.hpp"
#include "sw/compiler/compile.hpp"
#include "sw/compiler/stream/expand.hpp"
#include "verif/wafer.hpp"
#include "weft_lanes.hpp"

namespace weft::cli {
namespace {

constexpr double kReplay = 0.5;  // seconds

class Clock {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

std::vector<machine::Message> tokens_of(const compiler::Plan& plan) {
  const std::vector<TokenId> ids = planning::some_tokens(plan.model);
  const compiler::DropoutSamples samples = plan.samples(0, 0);
  return plan.tokens(ids, std::vector<TokenId>(ids.size(), 0), 1, &samples);  // 0 is a label of every loss
}

/// Maximum number of tiles of a mesh that the RTL loads quickly.
constexpr int kSmallMesh = 64;

/// A small GPT on such a mesh with the same number of lanes.
compiler::Plan stand_in(const machine::WaferShape& wafer) {
  return compiler::compile(
      {.vocab = 64, .hidden = 64, .layers = 1, .heads = 8, .filter = 128, .seq = 32, .micro_batch = 8},
      {.rows = 8, .cols = 8, .lanes = wafer.lanes, .sram_kib = 128});
}

}  // namespace

std::optional<double> rtl_seconds(const compiler::Plan& plan, std::span<const float> parameters, int threads) {
  if (!rtl_has(plan.wafer.lanes)) return std::nullopt;
  if (plan.wafer.all_rows() * plan.wafer.cols > kSmallMesh) {
    const compiler::Plan small = stand_in(plan.wafer);
    return rtl_seconds(small, std::vector<float>(small.parameters, 0.02F), threads);
  }
  constexpr std::size_t kPortion = 256;  // messages between checks of the clock
  const auto wafer = make_rtl_wafer(plan.wafer, threads);
  wafer->feed(plan.load);
  wafer->settle();
  wafer->feed(tokens_of(plan));
  const std::uint64_t before = wafer->counters().cycles;
  std::vector<machine::Message> messages;
  const Clock clock;
  for (const compiler::Op& op : plan.ops) {
    compiler::expand(op, parameters, messages);
    for (std::span<const machine::Message> rest(messages); !rest.empty() && clock.seconds() < kReplay;) {
      const std::size_t count = std::min(kPortion, rest.size());
      wafer->feed(rest.first(count));
      rest = rest.subspan(count);
    }
  }
  const auto cycles = static_cast<double>(wafer->counters().cycles - before);
  return clock.seconds() / (cycles * plan.wafer.all_rows() * plan.wafer.cols);
}

std::uint64_t rtl_micro_batch_cycles(const compiler::Plan& plan, std::span<const float> parameters) {
  const auto wafer = make_rtl_wafer(plan.wafer);
  wafer->feed(plan.load);
  wafer->settle();
  const std::uint64_t before = wafer->counters().cycles;
  for (int group = 0; group < plan.wafer.row_groups; ++group) wafer->feed_group(group, tokens_of(plan));
  std::vector<machine::Message> messages;
  for (const compiler::Op& op : plan.ops) {
    compiler::expand(op, parameters, messages);
    wafer->feed(messages);
  }
  wafer->settle();
  return wafer->counters().cycles - before;
}

}  // namespace weft::cli
