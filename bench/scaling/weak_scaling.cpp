/// Weak scaling: a model that grows with the mesh, with constant features, heads and tokens per tile.
#include <fmt/format.h>

#include <string>

#include "bench/benches.hpp"
#include "bench/common/gpt.hpp"
#include "bench/common/work.hpp"
#include "bench/print.hpp"
#include "host/planning/valves.hpp"
#include "sw/compiler/stream/expand.hpp"

namespace weft::bench {
namespace {

constexpr double kMeshKept = 0.9, kMeshGradientsKept = 0.85;  // shares of the smallest mesh's utilization

/// The per-row size of gpt_tiny on 4x4: 8 features, a head, 32 of the filter and 24 tokens of the vocabulary; and one
/// sequence of 32 tokens per column. One layer, because all layers are the same.
Gpt gpt_on(int rows, int cols) {
  config::Config config = tiny_config("rtl");
  compiler::ModelShape& m = config.model;
  m.hidden = 8 * rows, m.heads = rows, m.filter = 32 * rows, m.vocab = 24 * rows;
  m.micro_batch = cols;
  m.layers = 1;
  config.wafer.rows = rows, config.wafer.cols = cols;
  config.wafer.psum_cycles = machine::WaferShape{}.psum_cycles;
  config.wafer.valves = 0;
  planning::choose_valves(config);
  return Gpt(config);
}

Work measured(const Gpt& gpt, Wafer& wafer, const std::vector<machine::Message>& messages) {
  return measure(wafer, [&] {
    wafer.feed(messages);
    wafer.settle();
    for (int row = 0; row < gpt.config.wafer.rows; ++row) wafer.outlet(row).clear();
  });
}

/// Prints a line of the table; returns its FPU utilization.
double show(const Gpt& gpt, const Work& work, double first, const char* what) {
  const machine::WaferShape& w = gpt.config.wafer;
  const double used = work.fpu_utilization();
  const std::string name = fmt::format("{}x{}{}", w.rows, w.cols, what);
  text(fmt::format("  {:<18} {:>7} {:>7} {:>9} {:>7.3f} {:>9.3f}\n", name, gpt.config.model.hidden, w.valves,
                   work.done.cycles, used, first > 0 ? used / first : 1));
  point(name + ", valves", w.valves, "valves");
  point(name, static_cast<double>(work.done.cycles), "cycles");
  point(name + ", FPU", used, "FPU utilization");
  return used;
}

/// Measures a streamed micro-batch.
double micro_batch(int side, double first) {
  const Gpt gpt = gpt_on(side, side);
  const auto wafer = make_rtl_wafer(gpt.config.wafer);
  measured(gpt, *wafer, gpt.plan.load);
  return show(gpt, measured(gpt, *wafer, gpt.micro_batch), first, "");
}

/// Measures all gradients of a micro-batch, with a rest after each op.
double gradients(int cols, double first) {
  const Gpt gpt = gpt_on(4, cols);
  const machine::WaferShape& w = gpt.config.wafer;
  const auto wafer = make_rtl_wafer(w);
  measured(gpt, *wafer, gpt.plan.load);
  measured(gpt, *wafer, gpt.tokens);
  Work all{.done = {}, .tiles = w.rows * w.cols, .lanes = w.lanes};
  std::vector<machine::Message> messages;
  for (const compiler::Op& op : gpt.plan.ops) {
    compiler::expand(op, gpt.parameters, messages);
    const Work work = measured(gpt, *wafer, messages);
    if (op.returns != compiler::Returns::Gradient) continue;
    all.done.cycles += work.done.cycles;
    all.done.fma_lanes += work.done.fma_lanes;
  }
  return show(gpt, all, first, ", gradients");
}

void print_header() {
  text(fmt::format("  {:<18} {:>7} {:>7} {:>9} {:>7} {:>9}\n", "tiles", "hidden", "valves", "cycles", "FPU",
                   "of first"));
}

}  // namespace

void weak_scaling() {
  heading("weak_scaling: a micro-batch of a model that grows with the mesh: a tile has the same to do");
  print_header();
  const double small = micro_batch(4, 0);
  micro_batch(8, small);
  const double large = micro_batch(16, small);
  const double narrow = gradients(4, 0);
  for (const int cols : {8, 16}) gradients(cols, narrow);
  const double wide = gradients(32, narrow);
  text("  FPU: multiply-adds of what the lanes could do; of gradients with a rest after each.\n");
  goal("16x16: FPU utilization, of that of 4x4", large / small, "", kMeshKept);
  goal("4x32: FPU utilization of gradients, of that of 4x4", wide / narrow, "", kMeshGradientsKept);
}

void weak_scaling32() {
  heading("weak_scaling32: the same micro-batch on 32x32 tiles");
  print_header();
  const double small = micro_batch(4, 0);
  fact("32x32: FPU utilization, of that of 4x4", micro_batch(32, small) / small, "");
}

}  // namespace weft::bench
