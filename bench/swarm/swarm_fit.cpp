#include "bench/swarm/swarm_fit.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

#include "bench/common/replay.hpp"
#include "bench/swarm/least_squares.hpp"

namespace weft::bench {
namespace {

using planning::swarm_model::Machine;
using planning::swarm_model::Outcome;
using planning::swarm_model::Work;
using planning::swarm_model::WorkOp;

int passes_of(const SwarmRun& run) { return (run.micro_batches - 1) / run.wafers + 1; }

/// Fits unknowns by least squares. `parts`: amount of each unknown in a run, given the work of a micro-batch.
template <class Parts>
std::vector<double> unknowns(const std::vector<MeasuredRun>& runs, double (*value)(const SwarmTimes&), Parts parts) {
  std::vector<Observation> all;
  for (const MeasuredRun& one : runs)
    all.push_back({parts(one.run, planning::swarm_model::total(work_of(one.run))), value(one.times)});
  return least_squares(all);
}

/// Sum of squared relative errors of the steps.
double squares(const Machine& machine, const std::vector<MeasuredRun>& runs) {
  double sum = 0;
  for (const MeasuredRun& run : runs) {
    const double error = predicted(machine, run).step / run.times.step - 1;
    sum += error * error;
  }
  return sum;
}

/// Ternary search, to a microsecond.
double best_latency(Machine machine, const std::vector<MeasuredRun>& runs) {
  const auto at = [&](double latency) {
    machine.latency = latency;
    return squares(machine, runs);
  };
  double low = 0, high = 1e-3;
  while (high - low > 1e-6) {
    const double third = (high - low) / 3;
    if (at(low + third) < at(high - third)) {
      high -= third;
    } else {
      low += third;
    }
  }
  return (low + high) / 2;
}

}  // namespace

Work work_of(const SwarmRun& run) {
  const compiler::Plan plan = replay_plan(run.layers);
  std::size_t ops = 0;
  for (const compiler::Op& op : plan.ops) ops += op.descriptor.empty() ? 0 : 1;
  std::vector<double> seconds;
  for (const compiler::Op& op : plan.ops)
    seconds.push_back(op.descriptor.empty() ? 0 : run.micro_batch / static_cast<double>(ops));
  return planning::swarm_model::work_of(plan, seconds, run.train);
}

Machine fitted(const Measured& measured) {
  const auto passing = [](const SwarmRun& run, const WorkOp& all) {
    return std::vector<double>{all.down * run.micro_batches, all.up * run.micro_batches};
  };
  const auto of = [&](double (*value)(const SwarmTimes&)) { return unknowns(measured.fit, value, passing); };
  Machine m{
      .cores = static_cast<double>(measured.cores),
      .shared = true,
      .fanout =
          std::numeric_limits<int>::max(),  // all members are children of the root, because they are in other processes
      .bandwidth = std::numeric_limits<double>::infinity(),  // copying bytes is counted as processor time
      .settles = true,
      .costs = {}};
  const auto stream = unknowns(
      measured.fit, [](const SwarmTimes& t) { return t.stream; },
      [](const SwarmRun& run, const WorkOp& all) {
        return std::vector<double>{all.down, all.down * passes_of(run)};
      });
  m.costs.make = stream[0], m.costs.again = stream[1];
  const auto network = of([](const SwarmTimes& t) { return t.network; });
  m.costs.send = network[0], m.costs.add = network[1];
  const auto member = of([](const SwarmTimes& t) { return t.member_network; });
  m.costs.take = member[0], m.costs.pass = member[1];
  const auto wafer = unknowns(
      measured.fit, [](const SwarmTimes& t) { return t.member_wafer; },
      [](const SwarmRun& run, const WorkOp& all) {
        return std::vector<double>{all.messages * run.micro_batches, all.up * run.micro_batches};
      });
  m.costs.decode = wafer[0], m.costs.encode = wafer[1];
  std::vector<MeasuredRun> training;
  std::ranges::copy_if(measured.fit, std::back_inserter(training),
                       [](const MeasuredRun& one) { return one.run.train; });
  m.costs.update = unknowns(
      training, [](const SwarmTimes& t) { return t.memoryx; },
      [](const SwarmRun&, const WorkOp& all) { return std::vector<double>{all.parameters}; })[0];
  m.latency = best_latency(m, measured.fit);
  return m;
}

Outcome predicted(const Machine& machine, const MeasuredRun& run) {
  Machine left = machine;
  left.cores -= std::max(0.0, run.times.others);
  const Work work = work_of(run.run);
  return planning::swarm_model::simulate(work, left,
                                         {.wafers = run.run.wafers, .micro_batches = run.run.micro_batches});
}

}  // namespace weft::bench
