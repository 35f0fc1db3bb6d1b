/// Predictions for wafers and swarms larger than any machine here: the numbers of the computed tables and the chart of
/// docs/explanation/scaling.md. Nothing is measured or simulated as RTL.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "bench/benches.hpp"
#include "bench/common/gpt.hpp"
#include "bench/print.hpp"
#include "bench/scaling/figure7.hpp"
#include "bench/scaling/gpt3.hpp"
#include "bench/scaling/plan_work.hpp"
#include "bench/swarm/swarm_fit.hpp"
#include "host/config/file/load.hpp"
#include "sw/compiler/compile.hpp"

namespace weft::bench {
namespace {

constexpr int kMostWafers = 192;
constexpr int kMostSramKib = 128;  // wafer.sram_kib, at most

/// configs/gpt_small.yaml on a wafer scaled so that a micro-batch takes as long as in the measured runs.
planning::swarm_model::Work gpt_small() {
  const config::Config config = config::load_config(WEFT_CONFIGS "/gpt_small.yaml");
  const compiler::Plan plan = compiler::compile(config.model, config.wafer);
  const planning::swarm_model::Work work = work_in_cycles(plan, planning::estimate_phases(plan));
  return slowed(work, SwarmRun{}.micro_batch / planning::swarm_model::total(work).seconds);
}

void gpt3_tables(const std::vector<Gpt3Line>& lines) {
  const machine::WaferShape w = cs2_wafer();
  row("wafer", {{"rows", w.rows},
                {"cols", w.cols},
                {"lanes", w.lanes},
                {"valves", w.valves},
                {"sram_kib", w.sram_kib},
                {"most_sram_kib", kMostSramKib},
                {"clock", cs2_clock()},
                {"auto_num_csx", kMostWafers}});
  for (const Gpt3Line& line : lines)
    row("gpt3", {{"name", line.name},
                 {"layers", line.model.layers},
                 {"hidden", line.model.hidden},
                 {"seq", line.model.seq},
                 {"batch", line.batch},
                 {"row_groups", line.wafer.row_groups},
                 {"sequences", line.sequences()},
                 {"parameters", line.parameters},
                 {"columns", line.wafer.sequence_columns},
                 {"sram_kib", line.wafer.sram_kib},
                 {"cycles", line.cycles},
                 {"multiply_adds", multiply_adds(line)},
                 {"messages", line.sent},
                 {"words_back", line.returned},
                 {"bound", line.bound},
                 {"misfit", line.misfit}});
}

/// A step of GPT-3 XL on one wafer, next to the first loss that a CS-2 prints in a text of N. Vassilieva (Cerebras,
/// June 22, 2022): "global_step = 50, loss = 7.30078125, rate = 0.492 steps/sec". The text does not have the batch; 121
/// sequences are the batch of the Model Zoo's file for this model on one CS-2, params_gpt3_xl_ws.yaml, of that year.
void console_table(const std::vector<Gpt3Line>& lines) {
  constexpr double kTheirs = 0.492;  // steps per second
  constexpr int kTheirBatch = 121;   // sequences
  const auto xl = [](const auto& one) { return one.name == "XL"; };
  const std::vector<Gpt3Size> sizes = gpt3_sizes();
  Gpt3Size size = *std::ranges::find_if(sizes, xl);
  const Gpt3Line own = *std::ranges::find_if(lines, xl);
  size.batch = kTheirBatch;
  for (const Gpt3Line& line : {gpt3_line(size, cs2_wafer()), own})
    row("console", {{"name", line.name},
                    {"batch", line.batch},
                    {"row_groups", line.wafer.row_groups},
                    {"sequences", line.sequences()},
                    {"columns", line.wafer.sequence_columns},
                    {"cycles", line.cycles * line.micro_batches()},
                    {"multiply_adds", multiply_adds(line) * line.micro_batches()},
                    {"rate", cs2_clock() / (line.cycles * line.micro_batches())},
                    {"cs2_rate", line.batch == kTheirBatch ? nlohmann::ordered_json(kTheirs) : nullptr}});
}

void runs_table(const planning::swarm_model::Machine& machine, const char* table,
                const std::vector<MeasuredRun>& runs) {
  for (const MeasuredRun& one : runs) {
    const planning::swarm_model::Outcome outcome = predicted(machine, one);
    row(table, {{"wafers", one.run.wafers},
                {"micro_batches", one.run.micro_batches},
                {"micro_batch", one.run.micro_batch},
                {"layers", one.run.layers},
                {"train", one.run.train},
                {"step", one.times.step},
                {"predicted_step", outcome.step},
                {"processor", one.times.processor()},
                {"predicted_processor", outcome.processor}});
  }
}

/// Step time of the measured run with default parameters on so many wafers.
double measured_step(const Measured& measured, int wafers) {
  for (const auto* runs : {&measured.fit, &measured.check})
    for (const MeasuredRun& run : *runs)
      if (run.run == SwarmRun{.wafers = wafers}) return run.times.step;
  throw std::runtime_error(fmt::format("no run on {} wafers was measured. HINT: weft-bench swarm_model", wafers));
}

/// Fraction of linear speed-up for 48 micro-batches of 100 ms: measured and predicted on one host; predicted with a
/// host of as many processors for each process, links of 10 Gb/s, and steps that do not wait for the previous update;
/// the same with nodes of 4 children; and the last with the work of gpt_small.
void hosts_table(const planning::swarm_model::Machine& here, const Measured& measured) {
  planning::swarm_model::Machine star = here;
  star.shared = false, star.settles = false, star.bandwidth = 1.25e9;
  planning::swarm_model::Machine tree = star;
  tree.fanout = 4;
  const planning::swarm_model::Work work = work_of(SwarmRun{}), other = gpt_small();
  for (const int wafers : {2, 4, 8, 16}) {
    const auto share = [&](const planning::swarm_model::Machine& machine, const planning::swarm_model::Work& what) {
      const auto step = [&](int n) {
        return planning::swarm_model::simulate(what, machine, {.wafers = n, .micro_batches = SwarmRun{}.micro_batches})
            .step;
      };
      return step(1) / wafers / step(wafers);
    };
    row("swarm-hosts", {{"wafers", wafers},
                        {"measured", measured_step(measured, 1) / wafers / measured_step(measured, wafers)},
                        {"one_host", share(here, work)},
                        {"host_each", share(star, work)},
                        {"nodes", share(tree, work)},
                        {"gpt_small", share(tree, other)}});
  }
}

void swarm_tables(const planning::swarm_model::Machine& here, const Measured& measured) {
  const planning::swarm_model::Costs& c = here.costs;
  row("swarm-costs", {{"make", c.make},
                      {"again", c.again},
                      {"send", c.send},
                      {"take", c.take},
                      {"decode", c.decode},
                      {"encode", c.encode},
                      {"pass", c.pass},
                      {"add", c.add},
                      {"update", c.update},
                      {"latency", here.latency}});
  runs_table(here, "swarm-fit", measured.fit);
  runs_table(here, "swarm-check", measured.check);
  hosts_table(here, measured);
}

/// Steps of `system`, and on the most wafers also with one difference each: slower links, or nodes and members with the
/// costs of `measured`.
void figure7_tables(const std::vector<Gpt3Line>& lines, const DrawnSystem& system,
                    const planning::swarm_model::Machine& measured) {
  const std::vector<ScaledModel> models = scaled_models(lines, system);
  for (const ScaledModel& model : models)
    for (const auto& [wafers, seconds] : model.seconds)
      row("figure7",
          {{"name", model.name}, {"micro_batches", model.micro_batches}, {"wafers", wafers}, {"seconds", seconds}});
  for (const ScaledModel& model : models) {
    planning::swarm_model::Machine slow = machine_of(system, model.work), processes = slow;
    slow.bandwidth = 12.5e9;
    processes.costs = measured.costs;
    for (const auto& [name, machine] : {std::pair{"slow links", &slow}, std::pair{"measured costs", &processes}}) {
      const auto on = [&](int wafers) {
        return planning::swarm_model::step_seconds(model.work, *machine, wafers, model.micro_batches);
      };
      row("figure7-variants", {{"name", model.name},
                               {"system", name},
                               {"wafers", kMostWafers},
                               {"seconds_on_one", on(1)},
                               {"seconds", on(kMostWafers)}});
    }
  }
}

}  // namespace

void predictions() {
  DrawnSystem system;
  for (const std::string& one : settings()) system.set(one);
  heading("predictions: sizes of GPT-3 on a wafer of 850,000 tiles, and swarms of such wafers");
  std::vector<Gpt3Line> lines, drawn;  // with micro-batches for one wafer, and for the most
  for (const Gpt3Size& size : gpt3_sizes()) {
    lines.push_back(gpt3_line(size, cs2_wafer()));
    if (is_drawn(size.name)) drawn.push_back(gpt3_line(size, cs2_wafer(), kMostWafers));
  }
  const Measured measured = read_measured(WEFT_BENCH "/results/swarm_model.jsonl");
  const planning::swarm_model::Machine here = fitted(measured);
  gpt3_tables(lines);
  console_table(lines);
  swarm_tables(here, measured);
  figure7_tables(drawn, system, here);
}

}  // namespace weft::bench
