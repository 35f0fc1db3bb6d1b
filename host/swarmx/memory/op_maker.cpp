#include "host/swarmx/memory/op_maker.hpp"

#include <pthread.h>

#include <algorithm>
#include <utility>

namespace weft {
namespace {

struct Forgotten {};  // thrown out of an op that is not requested any more

}  // namespace

OpMaker::OpMaker(const Plan& plan, MemoryX& memoryx, Send send, std::function<void()> failed, Pulse* pulse)
    : plan_(plan), memoryx_(memoryx), send_(std::move(send)), failed_(std::move(failed)), frames_(plan), pulse_(pulse) {
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

OpMaker::~OpMaker() {
  thread_.request_stop();
  const std::lock_guard lock(mutex_);
  questions_.forget();
  announce();
}

void OpMaker::ask(std::uint32_t number, std::size_t op, std::uint32_t count, std::uint32_t first) {
  const std::lock_guard lock(mutex_);
  questions_.ask(number, op, count, first);
  announce();
}

bool OpMaker::more(std::uint32_t number, std::uint32_t count) {
  const std::lock_guard lock(mutex_);
  const bool asked = questions_.more(number, count);
  announce();
  return asked;
}

void OpMaker::forget() {
  std::unique_lock lock(mutex_);
  questions_.forget();
  announce();
  changed_.wait(lock, [this] { return questions_.empty(); });
}

/// Wakes waiters and updates the watchdog, with the mutex held. No work is pending while the root must first request
/// more.
void OpMaker::announce() {
  const bool owes = !questions_.empty() && questions_.may() != Questions::May::Wait;
  if (pulse_ != nullptr && owes != owes_) owes ? pulse_->owe() : pulse_->pay();
  owes_ = owes;
  changed_.notify_all();
}

void OpMaker::run(const std::stop_token& stop) {
  ::pthread_setname_np(::pthread_self(), "makes ops");  // for debuggers and ps
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, stop, [this] { return !questions_.empty(); })) {
    const Questions::Question question = questions_.front();
    lock.unlock();
    try {
      answer(question);
    } catch (const Forgotten&) {
    } catch (...) {
      failed_();
    }
    lock.lock();
    questions_.end();
    announce();
  }
}

/// Waits until another frame of the current answer may be sent. Throws Forgotten.
void OpMaker::wait_to_send() {
  std::unique_lock lock(mutex_);
  Questions::May may = Questions::May::Wait;
  changed_.wait(lock, [&] { return (may = questions_.spend()) != Questions::May::Wait; });
  announce();
  if (may == Questions::May::Stop) throw Forgotten();
}

void OpMaker::answer(const Questions::Question& question) {
  memoryx_.wait(plan_.ops[question.op].tensors);
  frames_.make(question.op, memoryx_.parameters(), [&](Frame frame) {
    wait_to_send();
    frame.round = question.number;
    send_(frame);
  });
  send_({.type = FrameType::Op, .round = question.number, .op = static_cast<std::uint32_t>(question.op)});
}

}  // namespace weft
