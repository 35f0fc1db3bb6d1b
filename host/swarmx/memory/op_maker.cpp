#include "host/swarmx/memory/op_maker.hpp"

#include <algorithm>
#include <utility>

namespace weft {
namespace {

struct Forgotten {};  // thrown out of an op that nobody wants any more

}  // namespace

OpMaker::OpMaker(const Plan& plan, MemoryX& memoryx, Send send, std::function<void()> failed)
    : plan_(plan), memoryx_(memoryx), send_(std::move(send)), failed_(std::move(failed)), frames_(plan) {
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

OpMaker::~OpMaker() {
  thread_.request_stop();
  const std::lock_guard lock(mutex_);
  questions_.forget();
  changed_.notify_all();
}

void OpMaker::ask(std::uint32_t number, std::size_t op, std::uint32_t count, std::uint32_t first) {
  const std::lock_guard lock(mutex_);
  questions_.ask(number, op, count, first);
  changed_.notify_all();
}

bool OpMaker::more(std::uint32_t number, std::uint32_t count) {
  const std::lock_guard lock(mutex_);
  changed_.notify_all();
  return questions_.more(number, count);
}

void OpMaker::forget() {
  std::unique_lock lock(mutex_);
  questions_.forget();
  changed_.notify_all();
  changed_.wait(lock, [this] { return questions_.empty(); });
}

void OpMaker::run(const std::stop_token& stop) {
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
    changed_.notify_all();
  }
}

/// Until another frame of what is being answered may be sent.
void OpMaker::wait_to_send() {
  std::unique_lock lock(mutex_);
  Questions::May may = Questions::May::Wait;
  changed_.wait(lock, [&] { return (may = questions_.spend()) != Questions::May::Wait; });
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
