/// Fault injection of a faulty run, and the actions that follow.
#include <chrono>
#include <condition_variable>

#include "tests/run/ranks/faulty_run.hpp"

namespace weft::test {
namespace {

using namespace std::chrono_literals;

constexpr auto kPause = 500ms, kTooLong = 2800ms;  // the deadline is 2 s
constexpr std::uintmax_t kErrorText = 500;         // bytes, enough for the root's error about a full disk

}  // namespace

bool FaultyRun::says_lost(const std::string& errors) {
  return errors.find(" is lost with the updates") != std::string::npos ||
         errors.find(" was asked to end") != std::string::npos;
}

/// Limits the size of the root's files to `bytes` from now on.
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
      hurt_ = some_of(wafers_);
      if (kind == FaultKind::KillBoth) root_->kill(SIGKILL);
      wafers_[hurt_].program->kill(SIGKILL);
      wafers_[hurt_].killed = true;
      break;
    case FaultKind::Stop:
    case FaultKind::Pause:
      hurt_ = some_of(wafers_);
      wafers_[hurt_].program->kill(SIGSTOP);
      break;
    case FaultKind::Cut:
    case FaultKind::CutMemory:
      return {.kind = Fate::Kind::Cut};
    case FaultKind::Corrupt:
    case FaultKind::CorruptMemory:
      return {.kind = Fate::Kind::Corrupt, .where = static_cast<std::uint32_t>(rng_.next())};
    case FaultKind::CorruptRecord:
      records_.command(std::string(rng_.chance(50) ? "up" : "down") + " corrupt");
      break;
    case FaultKind::Half:
    case FaultKind::HalfMemory:
      return {.kind = Fate::Kind::Half};
    case FaultKind::Hold:
    case FaultKind::HoldMemory:
      return {.kind = Fate::Kind::Hold, .hold = rng_.chance(50) ? kPause : kTooLong};
    case FaultKind::Slow:
      records_.command(rng_.chance(50) ? "delay 30" : "rate 100000");
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
    case FaultKind::KillMemory:
      hurt_ = some_of(memory_);
      memory_[hurt_].program->kill(SIGKILL);
      memory_[hurt_].killed = true;
      break;
    case FaultKind::AskMemory:
      hurt_ = some_of(memory_);
      memory_[hurt_].program->kill(SIGTERM);
      memory_[hurt_].killed = true;
      break;
    case FaultKind::StopMemory:
    case FaultKind::PauseMemory:
      hurt_ = some_of(memory_);
      memory_[hurt_].program->kill(SIGSTOP);
      break;
    case FaultKind::KillRoot:
      root_->kill(SIGKILL);
      break;
    case FaultKind::InterruptRoot:
      root_->kill(SIGUSR1);
      break;
    case FaultKind::FullMetrics:
      fill_disk(std::max(std::filesystem::file_size(folder_ / name_ / "metrics.jsonl"), kErrorText) + rng_.below(100));
      break;
    case FaultKind::FullCheckpoint:
      fill_disk(kErrorText + rng_.below(static_cast<std::uint32_t>(checkpoint_ - kErrorText)));
      break;
    case FaultKind::Join:
    case FaultKind::FullLog:
    case FaultKind::kCount:
      break;
  }
  return {};
}

/// The root must end with an error; then there is room again, and it is restarted.
void FaultyRun::after_full_disk() {
  const int end = root_->wait();
  const std::string text = root_->errors();
  const bool said = text.find("cannot be written: File too large. HINT: raise the limit") != std::string::npos;
  const bool lost = end == kLostMemory && says_lost(text);       // because of an earlier fault
  if (!lost && (end != 2 || (!said && text.size() < full_at_)))  // a long text is cut off
    trouble_ += "a full disk ends the root with " + std::to_string(end) + ": " + text;
  start_root();
}

/// The root must end and report the loss of a rank of MemoryX; it is restarted from the checkpoint. With the last frame
/// of the last checkpoint it may have succeeded.
void FaultyRun::after_lost_memory(Phase phase) {
  const int end = root_->wait();
  const std::string text = root_->errors();
  const bool says = end == kLostMemory && says_lost(text);
  if (!says && (phase != Phase::Checkpoint || end != 0))
    trouble_ += "a lost rank of MemoryX ends the root with " + std::to_string(end) + ": " + text;
  start_root();
}

void FaultyRun::after(FaultKind kind, Phase phase) {
  switch (kind) {
    case FaultKind::Kill:
      if (phase == Phase::Joining || rng_.chance(70)) come_back(hurt_);
      break;
    case FaultKind::Stop:
    case FaultKind::Pause:
      go_on_later(*wafers_[hurt_].program, kind == FaultKind::Stop ? kTooLong : kPause);
      break;
    case FaultKind::Slow:
      std::this_thread::sleep_for(300ms);
      for (const char* again : {"delay 0", "rate 0"}) records_.command(again);
      break;
    case FaultKind::Join:
      wafers_.push_back({start(last_wafer())});
      break;
    case FaultKind::KillData:
      if (phase == Phase::Joining || rng_.chance(50)) start_data();
      break;
    case FaultKind::StopData:
      go_on_later(*data_, kTooLong);
      break;
    case FaultKind::KillNode:
      if (phase == Phase::Joining || rng_.chance(70)) start_node();
      break;
    case FaultKind::StopNode:
      go_on_later(*node_, kTooLong);
      break;
    case FaultKind::KillMemory:
      if (phase == Phase::Joining) {
        start_memory(hurt_);
      } else {
        after_lost_memory(phase);
      }
      break;
    case FaultKind::AskMemory:
      if (phase == Phase::Joining) {  // at once, or together with the root that has assigned its shards
        memory_[hurt_].program->wait();
        start_memory(hurt_);
      } else {
        after_lost_memory(phase);
      }
      break;
    case FaultKind::CutMemory:
    case FaultKind::CorruptMemory:
    case FaultKind::HalfMemory:
      if (phase != Phase::Joining) after_lost_memory(phase);
      break;
    case FaultKind::StopMemory:
    case FaultKind::PauseMemory:
      go_on_later(*memory_[hurt_].program, kind == FaultKind::StopMemory ? kTooLong : kPause);
      break;
    case FaultKind::KillRoot:
    case FaultKind::KillBoth:
      root_->wait();
      start_root();
      break;
    case FaultKind::InterruptRoot:
      root_->wait();
      start_root();
      start_all_but_root();  // they have received Stop
      break;
    case FaultKind::FullMetrics:
    case FaultKind::FullCheckpoint:
      after_full_disk();
      break;
    default:
      break;
  }
}

}  // namespace weft::test
