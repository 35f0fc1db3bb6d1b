#include "bench/scaling/figure7.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "bench/scaling/plan_work.hpp"
#include "sw/base/refusal.hpp"

namespace weft::bench {
namespace {

using planning::swarm_model::Machine;
using planning::swarm_model::Work;

/// Approximate number of ops to which a micro-batch is coarsened: the fewer passes there are, the more the granularity
/// of ops matters.
std::size_t ops_of(int micro_batches) { return static_cast<std::size_t>(std::clamp(40'000 / micro_batches, 60, 400)); }
constexpr double kUpdateBytes = 40;  // weight, moments and sum, read and written
constexpr std::array kSizes = {"Small", "XL", "6.7B", "13B", "175B"};
constexpr std::array kWafers = {1, 2, 4, 8, 16, 32, 48, 64, 96, 128, 160, 192};

}  // namespace

bool is_drawn(const std::string& size) { return std::ranges::find(kSizes, size) != kSizes.end(); }

void DrawnSystem::set(const std::string& assignment) {
  const std::map<std::string, double DrawnSystem::*> keys{{"bandwidth", &DrawnSystem::bandwidth},
                                                          {"latency", &DrawnSystem::latency},
                                                          {"node", &DrawnSystem::node},
                                                          {"memory", &DrawnSystem::memory}};
  const std::size_t equals = std::min(assignment.find('='), assignment.size());
  const std::string key = assignment.substr(0, equals),
                    text = assignment.substr(std::min(equals + 1, assignment.size()));
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != 0 || !std::isfinite(value) || value <= 0)
    throw Refusal(key, "\"" + text + "\" is not a number above 0", "as in bandwidth=12.5e9");
  if (const auto at = keys.find(key); at != keys.end()) {
    this->*at->second = value;
    return;
  }
  if (key != "fanout")
    throw Refusal(key, "is nothing of the drawn system", "it has bandwidth, latency, node, memory, fanout");
  if (value < 2 || value > 1024 || value != std::floor(value))
    throw Refusal(key, text + " is not a whole number from 2 to 1024", "as in fanout=8");
  fanout = static_cast<int>(value);
}

Machine machine_of(const DrawnSystem& system, const Work& work) {
  Machine m{.cores = 4,
            .fanout = system.fanout,
            .bandwidth = system.bandwidth,
            .latency = system.latency,
            .piece = planning::swarm_model::total(work).down / (2 * static_cast<double>(work.size())),
            .window = 8,
            .costs = {}};
  m.costs.send = m.costs.add = 1 / system.node;
  m.costs.update = kUpdateBytes / system.memory;
  return m;
}

std::vector<ScaledModel> scaled_models(const std::vector<Gpt3Line>& lines, const DrawnSystem& system) {
  std::vector<ScaledModel> models;
  for (const Gpt3Line& line : lines) {
    if (!is_drawn(line.name)) continue;
    ScaledModel& model = models.emplace_back();
    model.name = line.name;
    model.micro_batches = line.micro_batches();
    model.work = slowed(planning::swarm_model::coarse(line.work, ops_of(model.micro_batches)), 1 / cs2_clock());
    const Machine machine = machine_of(system, model.work);
    for (const int wafers : kWafers)
      model.seconds[wafers] = planning::swarm_model::step_seconds(model.work, machine, wafers, model.micro_batches);
  }
  return models;
}

}  // namespace weft::bench
