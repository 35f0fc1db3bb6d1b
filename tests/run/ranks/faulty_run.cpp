#include "tests/run/ranks/faulty_run.hpp"

#include <chrono>
#include <utility>

namespace weft::test {
namespace {

using namespace std::chrono_literals;

constexpr int kMemory = 2;  // ranks of MemoryX
constexpr int kMostRequeues = 10;

/// Adapts a moment to a run with a node: wafers that join later get their plan from the node, and the wafers' Stats are
/// merged.
void through_node(Moment& moment, bool at_start) {
  if (moment.memory) return;
  if (moment.frame == "Plan" && !at_start) moment.frame = "Redirect";
  if (moment.frame == "Stats" && moment.phase == Phase::Reducing) moment.frame = "Loss";
}

}  // namespace

FaultyRun::FaultyRun(std::filesystem::path folder, std::string name, int steps, std::uintmax_t checkpoint, bool node,
                     bool memory, std::uint64_t seed)
    : folder_(std::move(folder)),
      name_(std::move(name)),
      steps_(steps),
      checkpoint_(checkpoint),
      node_runs_(node),
      rng_(mix(seed)),
      memory_relay_(folder_ / "key", 0, kMicroBatches),
      relay_(folder_ / "key", records_.port(), kMicroBatches, &memory_relay_),
      memory_(memory ? kMemory : 0) {}

std::vector<std::string> FaultyRun::words() const {
  return {"run",
          "--params",
          folder_ / "params.yaml",
          "--model_dir",
          folder_ / name_,
          "--num_steps",
          std::to_string(steps_),
          "--num_csx",
          std::to_string(kWafers),
          "--swarmx.nodes",
          std::to_string(nodes()),
          "--memoryx.ranks",
          std::to_string(memory()),
          "--swarmx.key_file",
          folder_ / "key",
          "--swarmx.silence",
          "2",
          "--swarmx.timeout",
          "30",
          "--runconfig.checkpoint_steps",
          std::to_string(kCheckpointSteps)};
}

std::unique_ptr<StartedProgram> FaultyRun::start(int rank, const std::string& out) {
  const std::string errors = folder_ / (name_ + "_errors_" + std::to_string(started_++));
  const std::uint16_t port = rank == 0 ? port_.number() : relay_.port();
  return std::make_unique<StartedProgram>(
      words(), errors, 0, 0,
      std::vector<std::string>{"RANK=" + std::to_string(rank), "WORLD_SIZE=" + std::to_string(last_wafer() + 1),
                               "MASTER_ADDR=127.0.0.1", "MASTER_PORT=" + std::to_string(port)},
      out);
}

/// Starts the root, which waits for all wafers and, for a limited time, for the node.
void FaultyRun::start_root() {
  root_ = start(0);
  if (node_killed_) start_node();
  for (std::size_t rank = 0; rank < memory_.size(); ++rank) {
    if (memory_[rank].killed) start_memory(rank);
  }
  for (std::size_t wafer = 0; wafer < wafers_.size(); ++wafer) {
    if (wafers_[wafer].killed) come_back(wafer);
  }
}

void FaultyRun::start_data() {
  data_ = start(1);
  data_killed_ = false;
}

void FaultyRun::start_node() {
  node_ = start(2 + memory());
  node_killed_ = false;
}

void FaultyRun::start_memory(std::size_t rank) { memory_[rank] = {start(2 + static_cast<int>(rank))}; }

void FaultyRun::come_back(std::size_t wafer) {
  wafers_[wafer] = {start(std::min(first_wafer() + static_cast<int>(wafer), last_wafer()))};
}

void FaultyRun::start_all_but_root() {
  start_data();
  for (std::size_t rank = 0; rank < memory_.size(); ++rank) start_memory(rank);
  if (node_runs_) start_node();
  wafers_.resize(std::max<std::size_t>(wafers_.size(), kWafers));
  for (std::size_t wafer = 0; wafer < wafers_.size(); ++wafer) come_back(wafer);
}

std::size_t FaultyRun::some_of(const std::vector<Member>& members) {
  std::vector<std::size_t> there;
  for (std::size_t one = 0; one < members.size(); ++one) {
    if (!members[one].killed) there.push_back(one);
  }
  return there.at(rng_.below(static_cast<std::uint32_t>(there.size())));
}

bool FaultyRun::at_work() {
  siginfo_t end{};
  if (waitid(P_PID, static_cast<id_t>(root_->pid()), &end, WEXITED | WNOHANG | WNOWAIT) == 0 && end.si_pid == 0)
    return true;
  return end.si_status == kLostMemory && says_lost(root_->errors()) && requeued();
}

bool FaultyRun::requeued() {
  const std::lock_guard lock(mutex_);
  root_->wait();
  if (++requeues_ > kMostRequeues) trouble_ += "it loses ranks of MemoryX again and again; ";
  if (requeues_ > kMostRequeues) return false;
  start_root();
  return true;
}

bool FaultyRun::hurt(FaultKind kind, const Moment& moment, bool starts) {
  FrameRelay& relay = moment.memory ? memory_relay_ : relay_;
  relay.trap(moment, [this, kind] { return at_frame(kind); });
  {
    const std::lock_guard lock(mutex_);
    if (starts) start_all_but_root();
    if ((kind == FaultKind::KillData || kind == FaultKind::StopData) && data_killed_) start_data();
    if ((kind == FaultKind::KillNode || kind == FaultKind::StopNode) && node_killed_) start_node();
    if (kind == FaultKind::FullLog) {
      full_log_ = start(last_wafer(), "/dev/full");
    } else if (moment.phase == Phase::Joining && !starts) {
      one_more_joins(moment.memory);
    }
  }
  bool sprung = false;
  while (!sprung && at_work()) sprung = relay.sprung(20ms);
  relay.disarm();
  sprung = sprung || relay.sprung(0ms);
  if (sprung) after(kind, moment.phase);
  return sprung;
}

/// Ranks of MemoryX join at the start only: so one is killed and rejoins, perhaps before the root notices.
void FaultyRun::one_more_joins(bool memory) {
  if (!memory) return wafers_.push_back({start(last_wafer())});
  memory_.front().program->kill(SIGKILL);
  start_memory(0);
}

bool FaultyRun::has_checkpoint() const {
  if (!std::filesystem::exists(folder_ / name_)) return false;
  for (const auto& entry : std::filesystem::directory_iterator(folder_ / name_))
    if (entry.path().filename().string().starts_with("checkpoint_")) return true;
  return false;
}

std::string FaultyRun::run(int faults, FaultKind first, FaultCounts& counts) {
  start_root();
  bool works = true;
  const std::vector<FaultKind> kinds = kinds_of(node_runs_, memory() > 0);
  for (int n = 0; n < faults && works; ++n) {
    const auto kind = n == 0 ? first : kinds[rng_.below(static_cast<std::uint32_t>(kinds.size()))];
    const std::vector<Phase> phases = phases_of(kind);
    const Phase phase = phases[rng_.below(static_cast<std::uint32_t>(phases.size()))];
    const int from = 4 + (n * steps_ + static_cast<int>(rng_.below(static_cast<unsigned>(steps_) / 2))) / faults;
    ++counts.counts[{kind, phase}].asked;
    Moment moment = moment_of(kind, phase, static_cast<std::uint64_t>(from), kCheckpointSteps, rng_);
    if (node_runs_) through_node(moment, n == 0);
    if (needs_memory(kind) && phase == Phase::Joining && has_checkpoint() && rng_.chance(50)) moment.frame = "State";
    works = hurt(kind, moment, n == 0);
    if (works) ++counts.counts[{kind, phase}].hit;
  }
  while (at_work()) std::this_thread::sleep_for(20ms);
  const int end = root_->wait();
  relay_.check();
  memory_relay_.check();
  return trouble_ + (end == 0 ? "" : "ends with " + std::to_string(end) + ": " + root_->errors());
}

}  // namespace weft::test
