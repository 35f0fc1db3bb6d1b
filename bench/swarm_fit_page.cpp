#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "bench/swarm_fit.hpp"
#include "bench/work.hpp"

namespace weft::bench {

using swarm_model::Machine;
using swarm_model::Outcome;

std::string costs_table(const Machine& m) {
  const swarm_model::Costs& c = m.costs;
  std::string text = "| | whose thread | |\n|---|---|---:|\n";
  const auto row = [&](const char* what, const char* who, double cost, const char* unit) {
    text += fmt::format("| {} | {} | {:.3f} ns {} |\n", what, who, 1e9 * cost, unit);
  };
  row("parameters become frames", "the root's stream", c.make, "a byte, once a step");
  row("frames that are kept are sent again", "the root's stream", c.again, "a byte, every round");
  row("a frame to each child", "the root's network", c.send, "a byte");
  row("a frame off the connection, on to the wafer", "a member's network", c.take, "a byte");
  row("what is in a frame to the wafer's messages", "its wafer", c.decode, "a message");
  row("a gradient to frames", "its wafer", c.encode, "a byte");
  row("gradients on to the root", "a member's network", c.pass, "a byte");
  row("gradients into MemoryX's sums", "the root's network", c.add, "a byte");
  row("an update", "MemoryX", c.update, "a parameter");
  return text + fmt::format("| until the other side has noticed | | {:.0f} us |\n", 1e6 * m.latency);
}

std::string runs_table(const Machine& machine, const std::vector<MeasuredRun>& runs) {
  std::string text =
      "| wafers | micro-batches | of | layers | | a step | predicted | error | processors | predicted | error |\n"
      "|---:|---:|---:|---:|---|---:|---:|---:|---:|---:|---:|\n";
  std::vector<double> errors;
  for (const MeasuredRun& one : runs) {
    const Outcome outcome = predicted(machine, one);
    const double processor = one.times.processor();
    errors.push_back(std::abs(100 * (outcome.step / one.times.step - 1)));
    text += fmt::format(
        "| {} | {} | {:.0f} ms | {} | {} | {:.3f} s | {:.3f} s | {:+.1f} % | {:.2f} s | {:.2f} s | {:+.1f} % |\n",
        one.run.wafers, one.run.micro_batches, 1e3 * one.run.micro_batch, one.run.layers,
        one.run.train ? "training" : "forward", one.times.step, outcome.step, 100 * (outcome.step / one.times.step - 1),
        processor, outcome.processor, 100 * (outcome.processor / processor - 1));
  }
  return text + fmt::format("\nErrors of a step: {:.1f} % in the middle, {:.1f} % at worst.\n", median(errors),
                            std::ranges::max(errors));
}

namespace {

/// Step time of the measured run with default parameters on so many wafers.
double measured_step(const Measured& measured, int wafers) {
  for (const auto* runs : {&measured.fit, &measured.check})
    for (const MeasuredRun& run : *runs)
      if (run.run == SwarmRun{.wafers = wafers}) return run.times.step;
  throw std::runtime_error(fmt::format("no run on {} wafers was measured. HINT: weft-bench swarm_model", wafers));
}

}  // namespace

std::string hosts_table(const Machine& here, const Measured& measured, const swarm_model::Work& other) {
  Machine star = here;
  star.shared = false, star.settles = false, star.bandwidth = 1.25e9;
  Machine tree = star;
  tree.fanout = 4;
  const swarm_model::Work work = work_of(SwarmRun{});
  const auto share = [](const auto& step, int wafers) {
    return fmt::format(" {:.2f} |", step(1) / wafers / step(wafers));
  };
  const auto on = [&](const Machine& machine, const swarm_model::Work& what) {
    return [&](int wafers) {
      return simulate(what, machine, {.wafers = wafers, .micro_batches = SwarmRun{}.micro_batches}).step;
    };
  };
  std::string text =
      "| wafers | measured | predicted | a host each | and nodes of 4 children | the same, of gpt_small itself |\n"
      "|---:|---:|---:|---:|---:|---:|\n";
  for (const int wafers : {2, 4, 8, 16}) {
    text += fmt::format("| {} |", wafers) + share([&](int n) { return measured_step(measured, n); }, wafers);
    text += share(on(here, work), wafers) + share(on(star, work), wafers) + share(on(tree, work), wafers) +
            share(on(tree, other), wafers) + "\n";
  }
  return text;
}

}  // namespace weft::bench
