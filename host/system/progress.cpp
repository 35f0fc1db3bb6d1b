#include "host/system/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <system_error>
#include <utility>

namespace weft::system {
namespace {

using namespace std::chrono_literals;

constexpr auto kFirst = 2s, kLine = 10s;
constexpr auto kBar = 200ms;
constexpr int kWidth = 24;  // characters of the bar

std::string bar(double part) {
  const int full = static_cast<int>(part * kWidth);
  return fmt::format("[{}{}]", std::string(static_cast<std::size_t>(full), '='),
                     std::string(static_cast<std::size_t>(kWidth - full), ' '));
}

}  // namespace

Progress::Progress(std::ostream& out, bool terminal, std::function<Clock::time_point()> now)
    : out_(out), terminal_(terminal), now_(std::move(now)) {
  begin("", 0);
}

void Progress::begin(std::string name, std::uint64_t all) {
  const std::lock_guard lock(mutex_);
  name_ = std::move(name);
  all_ = all;
  done_ = 0;
  begin_ = now_();
  next_ = begin_ + kFirst;
}

void Progress::show(std::uint64_t done, std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  done_ = done;
  draw(bytes);
}

void Progress::add() {
  const std::lock_guard lock(mutex_);
  ++done_;
  draw(0);
}

void Progress::draw(std::uint64_t bytes) {
  const Clock::time_point now = now_();
  if (now < next_) return;
  next_ = now + (terminal_ ? Clock::duration(kBar) : Clock::duration(kLine));
  const double seconds = std::chrono::duration<double>(now - begin_).count();
  shown_ = terminal_;
  if (all_ == 0) {
    out_ << fmt::format("{}{} {:.0f} s{}", terminal_ ? "\r" : "", name_, seconds, terminal_ ? "\x1b[K" : "\n")
         << std::flush;
    return;
  }
  const double part = std::min(1.0, static_cast<double>(done_) / static_cast<double>(all_));
  const double left = part > 0 ? seconds * (1 - part) / part : 0;
  const std::string rate = bytes == 0 ? ""
                                      : fmt::format(" {:.1f} MB, {:.1f} MB/s,", 1e-6 * static_cast<double>(bytes),
                                                    1e-6 * static_cast<double>(bytes) / seconds);
  out_ << fmt::format("{}{} {}{:.0f} %,{} {:.0f} s left{}", terminal_ ? "\r" : "", name_,
                      terminal_ ? bar(part) + " " : "", 100 * part, rate, left, terminal_ ? "\x1b[K" : "\n")
       << std::flush;
}

void Progress::clear() {
  const std::lock_guard lock(mutex_);
  if (std::exchange(shown_, false)) out_ << "\r\x1b[K" << std::flush;
}

ElapsedTime::ElapsedTime(Progress* progress, std::string name) : progress_(progress) {
  if (progress_ == nullptr) return;
  progress_->begin(std::move(name), 0);
  try {
    thread_ = std::thread([this] {
      std::unique_lock lock(mutex_);
      while (!changed_.wait_for(lock, kBar, [this] { return ended_; })) progress_->show(0);
    });
  } catch (const std::system_error&) {  // without a thread, nothing is displayed
  }
}

ElapsedTime::~ElapsedTime() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
  thread_.join();
  progress_->clear();
}

}  // namespace weft::system
