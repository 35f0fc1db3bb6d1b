#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string>

#include "bench/benches.hpp"
#include "bench/common/gpt.hpp"
#include "bench/common/work.hpp"
#include "bench/print.hpp"
#include "sw/compiler/stream/expand.hpp"

namespace weft::bench {
namespace {

struct OpShare {
  std::string name;
  int ops = 0;
  WaferCounters done;
};

/// Name with a wildcard for the layer: "h.1.ln_1" and "h.0.ln_1" become the same.
std::string without_layer(std::string name) {
  const auto at = name.find("h.");
  if (at != std::string::npos && at + 2 < name.size() && std::isdigit(static_cast<unsigned char>(name[at + 2])))
    name[at + 2] = '*';
  return name;
}

void add(std::vector<OpShare>& shares, const std::string& name, const WaferCounters& done) {
  auto found = std::find_if(shares.begin(), shares.end(), [&](const OpShare& s) { return s.name == name; });
  if (found == shares.end()) found = shares.insert(shares.end(), OpShare{.name = name, .ops = 0, .done = {}});
  ++found->ops;
  found->done.cycles += done.cycles;
  found->done.fma_lanes += done.fma_lanes;
  found->done.beats += done.beats;
  found->done.edge_messages += done.edge_messages;
}

/// Cycles of the micro-batch when streamed, without a rest between the ops.
std::uint64_t streamed_cycles(const Gpt& gpt) {
  const auto wafer = make_rtl_wafer(gpt.config.wafer);
  wafer->feed(gpt.plan.load);
  wafer->settle();
  return measure(*wafer,
                 [&] {
                   wafer->feed(gpt.micro_batch);
                   wafer->settle();
                 })
      .done.cycles;
}

}  // namespace

void ops() {
  heading("ops: where the cycles of a micro-batch of gpt_tiny go, with a rest after each op");
  const Gpt gpt;
  const machine::WaferShape& shape = gpt.config.wafer;
  const auto wafer = make_rtl_wafer(shape);
  wafer->feed(gpt.plan.load);
  wafer->settle();
  std::vector<OpShare> shares;
  const auto run = [&](const std::string& name, const std::vector<machine::Message>& messages) {
    const Work work = measure(*wafer, [&] {
      wafer->feed(messages);
      wafer->settle();
    });
    add(shares, name, work.done);
    add(shares, "total", work.done);
  };
  run("tokens", gpt.tokens);
  std::vector<machine::Message> messages;
  for (const compiler::Op& op : gpt.plan.ops) {
    compiler::expand(op, gpt.parameters, messages);
    run(without_layer(op.name), messages);
  }

  std::sort(shares.begin(), shares.end(),
            [](const OpShare& a, const OpShare& b) { return a.done.cycles > b.done.cycles; });
  const double tiles = shape.rows * shape.cols, all = static_cast<double>(shares.front().done.cycles);
  text(fmt::format("  {:<28} {:>4} {:>9} {:>7} {:>7} {:>7} {:>9} {:>10}\n", "op", "ops", "cycles", "share", "FPU",
                   "beats", "idle", "messages"));
  for (const OpShare& s : shares) {
    const auto cycles = static_cast<double>(s.done.cycles), beats = static_cast<double>(s.done.beats) / tiles;
    const double used = static_cast<double>(s.done.fma_lanes) / (tiles * shape.lanes * cycles);
    text(fmt::format("  {:<28} {:>4} {:>9} {:>6.1f}% {:>7.3f} {:>7.3f} {:>9.0f} {:>10}\n", s.name, s.ops, s.done.cycles,
                     100 * cycles / all, used, beats / cycles, cycles - beats, s.done.edge_messages));
    point(s.name, cycles, "cycles");
    point(s.name + ", FPU", used, "FPU utilization");
  }
  text("  FPU: multiply-adds of what the lanes could do. beats: cycles of a tile with a beat. idle: cycles without.\n");
  count("the same streamed without rests", streamed_cycles(gpt), "cycles");
}

}  // namespace weft::bench
