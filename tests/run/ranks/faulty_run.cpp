#include "tests/run/ranks/faulty_run.hpp"

#include <chrono>
#include <condition_variable>
#include <utility>

namespace weft {
namespace {

using namespace std::chrono_literals;

constexpr auto kPause = 500ms, kTooLong = 2800ms;  // the deadline is 2 s
constexpr std::uintmax_t kErrorText = 500;         // bytes that what the root says of a full disk has room in

/// A wafer that joins later has its plan of the node; all that wafers say of a step comes as one.
void through_node(Moment& moment, bool at_start) {
  if (moment.frame == "Plan" && !at_start) moment.frame = "Redirect";
  if (moment.frame == "Stats" && moment.phase == Phase::Reducing) moment.frame = "Loss";
}

}  // namespace

FaultyRun::FaultyRun(std::filesystem::path folder, std::string name, int steps, std::uintmax_t checkpoint, bool node,
                     std::uint64_t seed)
    : folder_(std::move(folder)),
      name_(std::move(name)),
      steps_(steps),
      checkpoint_(checkpoint),
      node_runs_(node),
      dice_(test::mix(seed)),
      relay_(folder_ / "key", records_.port(), kMicroBatches) {}

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
          "--swarmx.key_file",
          folder_ / "key",
          "--swarmx.silence",
          "2",
          "--swarmx.timeout",
          "10",
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

/// A root that begins waits for all wafers, and some time for the node.
void FaultyRun::start_root() {
  root_ = start(0);
  if (node_killed_) start_node();
  for (std::size_t wafer = 0; wafer < wafers_.size(); ++wafer) {
    if (wafers_[wafer].killed) come_back(wafer);
  }
}

void FaultyRun::start_data() {
  data_ = start(1);
  data_killed_ = false;
}

void FaultyRun::start_node() {
  node_ = start(2);
  node_killed_ = false;
}

void FaultyRun::come_back(std::size_t wafer) {
  wafers_[wafer] = {start(std::min(first_wafer() + static_cast<int>(wafer), last_wafer()))};
}

void FaultyRun::start_all_but_root() {
  start_data();
  if (node_runs_) start_node();
  wafers_.resize(std::max<std::size_t>(wafers_.size(), kWafers));
  for (std::size_t wafer = 0; wafer < wafers_.size(); ++wafer) come_back(wafer);
}

std::size_t FaultyRun::some_wafer() {
  std::vector<std::size_t> there;
  for (std::size_t wafer = 0; wafer < wafers_.size(); ++wafer) {
    if (!wafers_[wafer].killed) there.push_back(wafer);
  }
  return there.at(dice_.below(static_cast<std::uint32_t>(there.size())));
}

bool FaultyRun::at_work() const {
  siginfo_t end{};
  return waitid(P_PID, static_cast<id_t>(root_->pid()), &end, WEXITED | WNOHANG | WNOWAIT) == 0 && end.si_pid == 0;
}

/// No file of the root grows beyond this any more.
void FaultyRun::fill_disk(std::uintmax_t bytes) {
  full_at_ = bytes;
  const rlimit limit{bytes, bytes};
  if (prlimit(root_->pid(), RLIMIT_FSIZE, &limit, nullptr) != 0) trouble_ = "the disk cannot be filled";
}

void FaultyRun::go_on_later(const StartedProgram& program, std::chrono::milliseconds time) {
  later_.emplace_back([pid = program.pid(), time](const std::stop_token& stop) {
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any never;
    never.wait_for(lock, stop, time, [] { return false; });
    ::kill(pid, SIGCONT);
  });
}

Fate FaultyRun::at_frame(FaultKind kind) {
  const std::lock_guard lock(mutex_);
  switch (kind) {
    case FaultKind::Kill:
    case FaultKind::KillBoth:
      hurt_ = some_wafer();
      if (kind == FaultKind::KillBoth) root_->kill(SIGKILL);
      wafers_[hurt_].program->kill(SIGKILL);
      wafers_[hurt_].killed = true;
      break;
    case FaultKind::Stop:
    case FaultKind::Pause:
      hurt_ = some_wafer();
      wafers_[hurt_].program->kill(SIGSTOP);
      break;
    case FaultKind::Cut:
      return {.kind = Fate::Kind::Cut};
    case FaultKind::Corrupt:
      return {.kind = Fate::Kind::Corrupt, .where = static_cast<std::uint32_t>(dice_.next())};
    case FaultKind::CorruptRecord:
      records_.tell(std::string(dice_.chance(50) ? "up" : "down") + " corrupt");
      break;
    case FaultKind::Half:
      return {.kind = Fate::Kind::Half};
    case FaultKind::Hold:
      return {.kind = Fate::Kind::Hold, .hold = dice_.chance(50) ? kPause : kTooLong};
    case FaultKind::Slow:
      records_.tell("delay 30");
      break;
    case FaultKind::KillData:
      data_->kill(SIGKILL);
      data_killed_ = true;
      break;
    case FaultKind::StopData:
      data_->kill(SIGSTOP);
      break;
    case FaultKind::KillNode:
      node_->kill(SIGKILL);
      node_killed_ = true;
      break;
    case FaultKind::StopNode:
      node_->kill(SIGSTOP);
      break;
    case FaultKind::KillRoot:
      root_->kill(SIGKILL);
      break;
    case FaultKind::InterruptRoot:
      root_->kill(SIGUSR1);
      break;
    case FaultKind::FullMetrics:
      fill_disk(std::max(std::filesystem::file_size(folder_ / name_ / "metrics.jsonl"), kErrorText) + dice_.below(100));
      break;
    case FaultKind::FullCheckpoint:
      fill_disk(kErrorText + dice_.below(static_cast<std::uint32_t>(checkpoint_ - kErrorText)));
      break;
    case FaultKind::Join:
    case FaultKind::FullLog:
    case FaultKind::kCount:
      break;
  }
  return {};
}

/// The root ends and says why; there is room again, and it goes on.
void FaultyRun::after_full_disk() {
  const int end = root_->wait();
  const std::string text = root_->errors();
  const bool said = text.find("cannot be written: File too large. HINT: make room") != std::string::npos;
  if (end != 2 || (!said && text.size() < full_at_))  // of a long text nothing more had room
    trouble_ += "a full disk ends the root with " + std::to_string(end) + ": " + text;
  start_root();
}

void FaultyRun::after(FaultKind kind, Phase phase) {
  switch (kind) {
    case FaultKind::Kill:
      if (phase == Phase::Joining || dice_.chance(70)) come_back(hurt_);
      break;
    case FaultKind::Stop:
    case FaultKind::Pause:
      go_on_later(*wafers_[hurt_].program, kind == FaultKind::Stop ? kTooLong : kPause);
      break;
    case FaultKind::Slow:
      std::this_thread::sleep_for(300ms);
      records_.tell("delay 0");
      break;
    case FaultKind::Join:
      wafers_.push_back({start(last_wafer())});
      break;
    case FaultKind::KillData:
      if (phase == Phase::Joining || dice_.chance(50)) start_data();
      break;
    case FaultKind::StopData:
      go_on_later(*data_, kTooLong);
      break;
    case FaultKind::KillNode:
      if (phase == Phase::Joining || dice_.chance(70)) start_node();
      break;
    case FaultKind::StopNode:
      go_on_later(*node_, kTooLong);
      break;
    case FaultKind::KillRoot:
    case FaultKind::KillBoth:
      root_->wait();
      start_root();
      break;
    case FaultKind::InterruptRoot:
      root_->wait();
      start_root();
      start_all_but_root();  // they were told that the run is over
      break;
    case FaultKind::FullMetrics:
    case FaultKind::FullCheckpoint:
      after_full_disk();
      break;
    default:
      break;
  }
}

bool FaultyRun::hurt(FaultKind kind, const Moment& moment, bool starts) {
  relay_.trap(moment, [this, kind] { return at_frame(kind); });
  {
    const std::lock_guard lock(mutex_);
    if (starts) start_all_but_root();
    if ((kind == FaultKind::KillData || kind == FaultKind::StopData) && data_killed_) start_data();
    if ((kind == FaultKind::KillNode || kind == FaultKind::StopNode) && node_killed_) start_node();
    if (kind == FaultKind::FullLog) {
      full_log_ = start(last_wafer(), "/dev/full");
    } else if (moment.phase == Phase::Joining && !starts) {
      wafers_.push_back({start(last_wafer())});
    }
  }
  bool sprung = false;
  while (!sprung && at_work()) sprung = relay_.sprung(20ms);
  relay_.disarm();
  sprung = sprung || relay_.sprung(0ms);
  if (sprung) after(kind, moment.phase);
  return sprung;
}

std::string FaultyRun::run(int faults, FaultKind first, FaultTally& tally) {
  start_root();
  bool works = true;
  for (int n = 0; n < faults && works; ++n) {
    const unsigned kinds = node_runs_ ? static_cast<unsigned>(FaultKind::kCount) : kWithoutNodes;
    const auto kind = n == 0 ? first : static_cast<FaultKind>(dice_.below(kinds));
    const std::vector<Phase> phases = phases_of(kind);
    const Phase phase = phases[dice_.below(static_cast<std::uint32_t>(phases.size()))];
    const int from = 4 + (n * steps_ + static_cast<int>(dice_.below(static_cast<unsigned>(steps_) / 2))) / faults;
    ++tally.counts[{kind, phase}].asked;
    Moment moment = moment_of(kind, phase, static_cast<std::uint64_t>(from), kCheckpointSteps, dice_);
    if (node_runs_) through_node(moment, n == 0);
    works = hurt(kind, moment, n == 0);
    if (works) ++tally.counts[{kind, phase}].hit;
  }
  const int end = root_->wait();
  relay_.check();
  return trouble_ + (end == 0 ? "" : "ends with " + std::to_string(end) + ": " + root_->errors());
}

}  // namespace weft
