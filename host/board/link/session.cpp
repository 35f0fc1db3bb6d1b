#include "host/board/link/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>

namespace weft::board {

std::uint32_t Session::new_number() const {
  std::random_device rng;
  for (;;)
    if (const auto number = static_cast<std::uint32_t>(rng()); number != 0 && number != link_.session()) return number;
}

Session::~Session() { say_bye(); }

std::unique_ptr<Line> Session::release() {
  say_bye();
  link_ = Link();
  return std::move(line_);
}

void Session::say_bye() noexcept {
  if (!link_.is_open()) return;
  try {
    line_->send(encode(link_.bye_frame()));
    Bytes ignored;
    line_->receive(ignored, line_->now() + std::chrono::milliseconds(5));  // a serial line writes while it waits
  } catch (const std::exception&) {                                        // the session ends anyway
  }
}

const DeviceInfo& Session::open() {
  const Time now = line_->now();
  link_.open(new_number(), link_.session(), now);
  while (!link_.is_open()) go_on(false, now + kSilence);
  return *link_.info();
}

void Session::send_due(bool all) {
  while (line_->ready()) {
    const std::optional<Frame> frame = link_.next(line_->now(), all);
    if (!frame) return;
    line_->send(encode(*frame));
  }
}

void Session::go_on(bool all, Time until) {
  try {
    send_due(all);
    const Time before = line_->now();
    Time wake = std::min(until, before + Link::kPollAfter);
    // A busy line wakes the host when it is ready.
    if (const auto due = link_.wake(); due && line_->ready()) wake = std::min(wake, *due);
    const bool came = line_->receive(frame_, wake);
    if (progress_ != nullptr) progress_->fetch_add(1, std::memory_order_relaxed);
    const Time after = line_->now();
    if (came) link_.receive(frame_, after);
    if (after > std::max(wake, before) + kLate) listen();
    check(after);
    send_due(all);
  } catch (const LineGone& gone) {
    lost(std::string("cannot be reached: ") + gone.what());
  }
}

void Session::answer() {
  link_.answer_now();
  try {
    send_due(true);
  } catch (const LineGone& gone) {
    lost(std::string("cannot be reached: ") + gone.what());
  }
}

void Session::check(Time now) {
  const Duration silent = now - link_.last_heard();
  if (silent >= kSilence && link_.other_version())
    lost(fmt::format("uses version {} of the link protocol, this program version {}", *link_.other_version(),
                     kLinkVersion));
  if (silent >= kSilence) lost(link_.is_open() ? "has sent nothing for 5 s" : "does not answer");
  if (!link_.is_open()) return;
  if (silent >= Link::kPollAfter) link_.ask(now);
  const auto since = link_.sender().waiting_since();
  if (since && now - std::max(*since, listened_) >= kStall) lost("answers, but accepts no more data");
}

const Status& Session::ask() {
  listen();
  const Time asked = line_->now();
  link_.ask(asked);
  while (link_.waits_for_status()) {
    go_on(true, line_->now() + kSilence);
    if (line_->now() - asked >= kStall) lost("answers, but does not report its status");
  }
  return *link_.status();
}

const Bytes& Session::debug(Bytes payload) {
  listen();
  link_.debug(std::move(payload), line_->now());
  const Time asked = line_->now();
  while (link_.debugging()) {
    go_on(true, line_->now() + kSilence);
    if (line_->now() - asked >= kStall) lost("answers, but its debug chain does not");
  }
  return link_.answer();
}

void Session::lost(const std::string& text) const {
  throw BoardLost(
      fmt::format("the board at {} {} ({} bytes down, {} up; {} frames sent, {} of them resent, {} received damaged)",
                  line_->name(), text, line_->bytes_down(), line_->bytes_up(),
                  link_.sender().sent() + link_.sender().retransmissions(), link_.sender().retransmissions(),
                  link_.damaged() + line_->broken_frames()));
}

}  // namespace weft::board
