#include "tests/run/ranks/faulty_run.hpp"

#include <chrono>
#include <thread>
#include <utility>

namespace weft {
namespace {

using namespace std::chrono_literals;

void wait(std::chrono::microseconds time) { std::this_thread::sleep_for(time); }

}  // namespace

std::string name_of(FaultKind kind) {
  static const char* const names[] = {"wafer killed",  "wafer stopped", "wafer pauses",    "link cut",
                                      "link corrupts", "link holds",    "link is slow",    "another wafer",
                                      "data killed",   "root killed",   "root interrupted"};
  return names[static_cast<std::size_t>(kind)];
}

FaultyRun::FaultyRun(std::filesystem::path folder, std::string name, int steps, std::uint64_t seed)
    : folder_(std::move(folder)), name_(std::move(name)), steps_(steps), dice_(test::mix(seed)) {}

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
          "--swarmx.key_file",
          folder_ / "key",
          "--swarmx.silence",
          "1",
          "--swarmx.timeout",
          "20",
          "--runconfig.checkpoint_steps",
          "25"};
}

std::unique_ptr<StartedProgram> FaultyRun::start(int rank, std::uint16_t port) {
  const std::string errors = folder_ / (name_ + "_errors_" + std::to_string(started_++));
  return std::make_unique<StartedProgram>(
      words(), errors, 0, 0,
      std::vector<std::string>{"RANK=" + std::to_string(rank), "WORLD_SIZE=" + std::to_string(kWafers + 2),
                               "MASTER_ADDR=127.0.0.1", "MASTER_PORT=" + std::to_string(port)});
}

bool FaultyRun::reach(int step) { return root_->reach(step); }

void FaultyRun::come_back(std::size_t wafer) {
  const bool last = wafer + 1 == kWafers;
  wafers_[wafer] = start(static_cast<int>(wafer) + 2, last ? relay_.port() : port_);
}

void FaultyRun::start_data() { data_ = start(1, port_); }

void FaultyRun::hurt(FaultKind kind) {
  const std::size_t wafer = dice_.below(kWafers);
  wait(std::chrono::microseconds(dice_.below(20000)));
  switch (kind) {
    case FaultKind::Kill:
      wafers_[wafer]->kill(SIGKILL);
      if (dice_.chance(70)) come_back(wafer);
      break;
    case FaultKind::Stop:
      wafers_[wafer]->kill(SIGSTOP);
      wait(1500ms);
      wafers_[wafer]->kill(SIGCONT);
      break;
    case FaultKind::Pause:
      wafers_[wafer]->kill(SIGSTOP);
      wait(300ms);
      wafers_[wafer]->kill(SIGCONT);
      break;
    case FaultKind::Cut:
      relay_.tell("after " + std::to_string(dice_.below(200000)) + " cut");
      break;
    case FaultKind::Corrupt:
      relay_.tell(std::string(dice_.chance(50) ? "up" : "down") + " corrupt");
      break;
    case FaultKind::Hold:
      relay_.tell("hold");
      wait(dice_.chance(50) ? 200ms : 1500ms);
      relay_.tell("go");
      break;
    case FaultKind::Slow:
      relay_.tell("delay 30");
      wait(300ms);
      relay_.tell("delay 0");
      break;
    case FaultKind::Join:
      wafers_.push_back(start(kWafers + 1, port_));
      break;
    case FaultKind::KillData:
      data_->kill(SIGKILL);
      if (dice_.chance(50)) start_data();
      break;
    case FaultKind::KillRoot:
      root_->kill(SIGKILL);
      root_->wait();
      root_ = start(0, port_);
      break;
    case FaultKind::InterruptRoot:
      root_->kill(SIGUSR1);
      root_->wait();
      root_ = start(0, port_);
      start_data();
      for (std::size_t w = 0; w < kWafers; ++w) come_back(w);  // they were told that the run is over
      break;
    case FaultKind::kCount:
      break;
  }
}

std::string FaultyRun::run(int faults, FaultKind first, FaultTally& tally) {
  root_ = start(0, port_);
  start_data();
  wafers_.resize(kWafers);
  for (std::size_t wafer = 0; wafer < kWafers; ++wafer) come_back(wafer);
  for (int n = 0; n < faults; ++n) {
    const auto kind = n == 0 ? first : static_cast<FaultKind>(dice_.below(static_cast<unsigned>(FaultKind::kCount)));
    ++tally.all;
    if (!reach(1 + (n * steps_ + static_cast<int>(dice_.below(static_cast<unsigned>(steps_) / 2))) / faults)) {
      ++tally.missed;
      break;
    }
    ++tally.hit[kind];
    hurt(kind);
  }
  const int end = root_->wait();
  return end == 0 ? "" : "ends with " + std::to_string(end) + ": " + root_->errors();
}

}  // namespace weft
