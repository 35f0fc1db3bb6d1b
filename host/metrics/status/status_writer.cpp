#include "host/metrics/status/status_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

#include "host/checkpoint/file.hpp"
#include "host/checkpoint/lock_folder.hpp"
#include "host/metrics/status/rank_changes.hpp"

namespace weft::metrics {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kCheckInterval{100}, kWrite{1000};

/// Runs `work` and ignores its errors.
template <class Work>
void quietly(const Work& work) noexcept {
  try {
    work();
  } catch (...) {
  }
}

}  // namespace

StatusWriter::StatusWriter(const std::filesystem::path& folder, std::string run, std::uint64_t done,
                           std::uint64_t total, StatusSources sources)
    : run_(std::move(run)), sources_(std::move(sources)), folder_(checkpoint::open_folder(folder.string())) {
  status_.root = Process::self();
  status_.step = done;
  status_.steps = total;
  try {
    thread_ = std::jthread([this](const std::stop_token& stop) { this->run(stop); });
  } catch (const std::system_error&) {  // too few threads: the run needs them more
  }
}

StatusWriter::~StatusWriter() { end(""); }

void StatusWriter::step(const StepMetrics& metrics) {
  const std::lock_guard lock(mutex_);
  status_.step = metrics.step;
  status_.loss = metrics.loss;
  status_.times = metrics.times;
  status_.stall = metrics.network_stall;
  if (status_.stall) status_.longest_stall = std::max(*status_.stall, status_.longest_stall.value_or(0));
}

void StatusWriter::end(const std::string& how) {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    status_.end = how;
  }
  thread_.request_stop();
  thread_.join();
}

void StatusWriter::run(const std::stop_token& stop) {
  for (bool last = false; !last;) {
    last = stop.stop_requested();
    quietly([&] { update(last); });
    if (last) return;
    std::unique_lock lock(sleeping_);
    never_.wait_for(lock, stop, kCheckInterval, [] { return false; });
  }
}

/// `last`: the final call.
void StatusWriter::update(bool last) {
  std::vector<RankLine> ranks = ranks_;
  quietly([&] { ranks = sources_.ranks(); });
  const std::vector<std::string> lines = rank_changes(ranks_, ranks);
  ranks_ = std::move(ranks);
  for (const std::string& line : lines) quietly([&] { sources_.say(line); });
  std::string json;
  {
    const std::lock_guard lock(mutex_);
    quietly([&] { status_.part = sources_.part(); });
    status_.ranks = ranks_;
    json = to_json(status_);
  }
  const bool due = last || !lines.empty() || written_.empty() || Clock::now() - when_ >= kWrite;
  if (json == written_ || !due) return;
  when_ = Clock::now();
  write(json);
  written_ = std::move(json);
}

/// Writes through the open folder, which is the right one even after a rename.
void StatusWriter::write(const std::string& json) const {
  const std::chrono::duration<double> now = std::chrono::system_clock::now().time_since_epoch();
  const std::string folder = fmt::format("/proc/self/fd/{}", folder_.get());
  checkpoint::AtomicFile file(folder + "/" + kStatusFile);
  file.write(status_file(json, now.count()));
  file.finish();
  if (!checkpoint::names_another(folder, run_)) file.commit();
}

}  // namespace weft::metrics
