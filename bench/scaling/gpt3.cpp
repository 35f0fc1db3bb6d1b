#include "bench/scaling/gpt3.hpp"

#include <algorithm>

#include "bench/common/gpt.hpp"
#include "bench/scaling/plan_work.hpp"
#include "host/planning/choose_shape.hpp"
#include "host/planning/phases.hpp"
#include "sw/base/refusal.hpp"
#include "sw/compiler/check/check.hpp"
#include "sw/compiler/check/misfits.hpp"
#include "sw/compiler/compile.hpp"
#include "sw/compiler/model/tensors.hpp"

namespace weft::bench {
namespace {

/// "key: why" if the line does not fit, else empty.
std::string misfit_of(const Gpt3Line& line) {
  try {
    compiler::check_shapes(line.model, line.wafer);
  } catch (const Refusal& refusal) {
    return refusal.subject() + ": " + refusal.problem();
  }
  const std::vector<std::string> reasons = compiler::misfits(line.model, line.wafer);
  return reasons.empty() ? "" : reasons.front();
}

/// Chooses the groups of rows, unless they are a number, and the shape of a micro-batch as `auto` does. Returns false,
/// and leaves `line` unchanged, if none fits.
bool fits(Gpt3Line& line, int row_groups, int wafers) {
  config::Config config;
  config.model = line.model;
  config.model.micro_batch = 0;
  config.wafer = line.wafer;
  config.wafer.sequence_columns = 0;
  config.row_groups = row_groups;
  config.train_input.batch_size = line.batch;
  config.train_input.auto_num_csx = wafers;
  try {
    (void)planning::choose_shape(config);
  } catch (const Refusal&) {
    return false;
  }
  line.model = config.group_model();
  line.wafer = config.group_wafer();
  return true;
}

planning::Phase sum(const std::vector<planning::Phase>& phases) {
  planning::Phase total;
  for (const planning::Phase& phase : phases) total.add(phase);
  return total;
}

planning::Phase total_of(const compiler::ModelShape& model, const machine::WaferShape& wafer, int layers) {
  compiler::ModelShape some = model;
  some.layers = layers;
  return sum(planning::estimate_phases(compiler::compile(some, wafer)));
}

/// Extrapolates to all layers from one and two layers: each costs the same.
double of_layers(std::uint64_t one, std::uint64_t two, int layers) {
  return static_cast<double>(one) + (layers - 1.0) * (static_cast<double>(two) - static_cast<double>(one));
}

void estimate_layers(Gpt3Line& line, const machine::WaferShape& wafer) {
  const planning::Phase one = total_of(line.model, wafer, 1), two = total_of(line.model, wafer, 2);
  const int layers = line.model.layers;
  line.cycles = of_layers(one.cycles, two.cycles, layers);
  line.sent = of_layers(one.sent, two.sent, layers);
  line.returned = of_layers(one.returned, two.returned, layers) * wafer.row_groups;
  line.bound = two.bound();
}

}  // namespace

double cs2_clock() { return 5.8e15 / (2 * 3.4e6); }  // 5.8 PFLOP/s from 3.4 million multiply-adders
machine::WaferShape cs2_wafer() { return {.rows = 850, .cols = 1000, .sram_kib = 48, .valves = 850}; }

double multiply_adds(const Gpt3Line& line) {
  return model_multiply_adds(line.model) * line.sequences() * line.model.seq;
}

std::vector<Gpt3Size> gpt3_sizes() {
  struct Row {
    const char* name;
    int layers, hidden, heads, batch;
  };
  constexpr Row kRows[] = {{"Small", 12, 768, 12, 250}, {"Medium", 24, 1024, 16, 250}, {"Large", 24, 1536, 16, 250},
                           {"XL", 24, 2048, 16, 528},   {"2.7B", 32, 2560, 32, 528},   {"6.7B", 32, 4096, 32, 1008},
                           {"13B", 40, 5120, 40, 1008}, {"175B", 96, 12288, 96, 1560}};
  std::vector<Gpt3Size> sizes;
  for (const Row& r : kRows)
    sizes.push_back({r.name,
                     {.vocab = 50257,
                      .hidden = r.hidden,
                      .layers = r.layers,
                      .heads = r.heads,
                      .filter = 4 * r.hidden,
                      .seq = 2048,
                      .recompute = "block",
                      .attention = "shared"},
                     r.batch,
                     0});
  return sizes;
}

Gpt3Line gpt3_line(const Gpt3Size& size, const machine::WaferShape& mesh, int wafers) {
  Gpt3Line line{.name = size.name,
                .model = size.model,
                .wafer = mesh,
                .misfit = {},
                .bound = {},
                .work = {},
                .batch = size.batch};
  line.parameters = compiler::parameter_count(compiler::model_tensors(size.model));
  line.layers = size.model.layers;
  if (fits(line, size.row_groups, wafers)) {
    const compiler::Plan plan = compiler::compile(line.model, line.wafer);
    const std::vector<planning::Phase> phases = planning::estimate_phases(plan);
    const planning::Phase total = sum(phases);
    line.work = work_in_cycles(plan, phases);
    line.cycles = static_cast<double>(total.cycles);
    line.sent = static_cast<double>(total.sent);
    line.returned = static_cast<double>(total.returned) * line.wafer.row_groups;
    line.bound = total.bound();
    return line;
  }
  Gpt3Line two = line;
  two.model.layers = 2;
  const bool some = fits(two, size.row_groups, wafers);
  machine::WaferShape roomiest = mesh;
  roomiest.sequence_columns = 0;
  line.wafer = some ? two.wafer : compiler::with_sequence_columns(line.model, roomiest);
  line.model.micro_batch = some ? two.model.micro_batch : line.wafer.cols / line.wafer.sequence_columns;
  line.misfit = misfit_of(line);
  line.layers = some ? 2 : 0;
  if (some) estimate_layers(line, two.wafer);
  return line;
}

}  // namespace weft::bench
