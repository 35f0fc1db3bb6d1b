#include "host/planning/swarm_model/simulate.hpp"

#include <deque>
#include <memory>
#include <stdexcept>
#include <string>

#include "host/planning/swarm_model/root.hpp"
#include "host/planning/swarm_model/wafer.hpp"
#include "host/swarmx/tree/tree.hpp"

namespace weft::planning::swarm_model {
namespace {

void check(bool right, const char* what) {
  if (!right) throw std::invalid_argument(std::string("a model of a swarm: ") + what);
}

class Swarm {
 public:
  Swarm(const Work& work, const Machine& machine, const Job& job)
      : common_(work, machine, job), root_(common_, host()) {
    build(swarmx::make_tree(job.wafers, machine.fanout), root_.node());
  }
  Outcome run() {
    root_.start();
    while (!root_.over() && common_.clock.next()) {
    }
    check(root_.over(), "the step does not end. HINT: no part may wait for ever");
    Outcome outcome;
    const std::vector<double>& ends = root_.ends();
    outcome.step = (ends.back() - ends.front()) / common_.job.steps;
    for (const auto& cores : hosts_) outcome.processor += cores->busy() / (common_.job.steps + 1);
    return outcome;
  }

 private:
  Cores& host() {
    if (hosts_.empty() || !common_.machine.shared)
      hosts_.push_back(std::make_unique<Cores>(common_.clock, common_.machine.cores, common_.machine.slice));
    return *hosts_.back();
  }
  void build(const swarmx::TreeNode& tree, Node& node) {
    for (const swarmx::TreeNode& child : tree.children) {
      if (child.leaf()) {
        node.adopt(wafers_.emplace_back(common_, host(), child.first));
      } else {
        Node& below = nodes_.emplace_back(common_, host(), child.first);
        node.adopt(below);
        build(child, below);
      }
    }
  }

  Common common_;
  std::deque<std::unique_ptr<Cores>> hosts_;
  Root root_;
  std::deque<Node> nodes_;
  std::deque<WaferMember> wafers_;
};

constexpr int kManyPasses = 12, kSomePasses = 10;

}  // namespace

Outcome simulate(const Work& work, const Machine& machine, const Job& job) {
  check(!work.empty(), "there is no op");
  check(job.wafers > 0 && machine.fanout > 1, "there is a wafer, and a node has two children");
  check(machine.cores > 0 && machine.slice > 0, "a host has processors, and a thread a slice of them");
  check(machine.bandwidth > 0 && machine.latency >= 0, "bytes take a time above 0");
  check(machine.piece > 0 && machine.window > 0, "parts have bytes, and a child has room for one");
  check(job.micro_batches > 0 && job.steps > 0, "there are micro-batches and steps");
  return Swarm(work, machine, job).run();
}

double step_seconds(const Work& work, const Machine& machine, int wafers, int micro_batches) {
  const int passes = (micro_batches - 1) / wafers + 1;
  const auto without = [&](int fewer) {
    return simulate(work, machine, {.wafers = wafers, .micro_batches = micro_batches - fewer * wafers, .steps = 1})
        .step;
  };
  if (passes <= kManyPasses) return without(0);
  const double more = without(passes - kManyPasses), some = without(passes - kSomePasses);
  return more + (more - some) / (kManyPasses - kSomePasses) * (passes - kManyPasses);
}

}  // namespace weft::planning::swarm_model
