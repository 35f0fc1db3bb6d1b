#include "host/swarmx/memory/op_maker.hpp"

#include <pthread.h>

#include <algorithm>
#include <utility>

namespace weft::swarmx {
namespace {

struct Forgotten {};  // thrown out of an op that is not requested any more

}  // namespace

OpMaker::OpMaker(const compiler::Plan& plan, memoryx::MemoryX& memoryx, Send send, std::function<void()> failed,
                 ProgressWatchdog* watchdog)
    : plan_(plan),
      memoryx_(memoryx),
      send_(std::move(send)),
      failed_(std::move(failed)),
      frames_(plan),
      watchdog_(watchdog) {
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

OpMaker::~OpMaker() {
  thread_.request_stop();
  const std::lock_guard lock(mutex_);
  requests_.forget();
  announce();
}

void OpMaker::request(std::uint32_t number, std::size_t op, std::uint32_t count, std::uint32_t first) {
  const std::lock_guard lock(mutex_);
  requests_.add(number, op, count, first);
  announce();
}

bool OpMaker::request_more(std::uint32_t number, std::uint32_t count) {
  const std::lock_guard lock(mutex_);
  const bool known = requests_.request_more(number, count);
  announce();
  return known;
}

void OpMaker::forget() {
  std::unique_lock lock(mutex_);
  requests_.forget();
  announce();
  changed_.wait(lock, [this] { return requests_.empty(); });
}

/// Wakes waiters and updates the watchdog, with the mutex held. No work is pending while the root must first request
/// more.
void OpMaker::announce() {
  const bool pending = !requests_.empty() && requests_.permission() != RequestQueue::Permission::Wait;
  if (watchdog_ != nullptr && pending != pending_) pending ? watchdog_->expect() : watchdog_->done();
  pending_ = pending;
  changed_.notify_all();
}

void OpMaker::run(const std::stop_token& stop) {
  ::pthread_setname_np(::pthread_self(), "makes ops");  // for debuggers and ps
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, stop, [this] { return !requests_.empty(); })) {
    const RequestQueue::Request request = requests_.front();
    lock.unlock();
    try {
      answer(request);
    } catch (const Forgotten&) {
    } catch (...) {
      failed_();
    }
    lock.lock();
    requests_.end();
    announce();
  }
}

/// Waits until another frame of the current answer may be sent. Throws Forgotten.
void OpMaker::wait_to_send() {
  std::unique_lock lock(mutex_);
  RequestQueue::Permission permission = RequestQueue::Permission::Wait;
  changed_.wait(lock, [&] { return (permission = requests_.take_permission()) != RequestQueue::Permission::Wait; });
  announce();
  if (permission == RequestQueue::Permission::Stop) throw Forgotten();
}

void OpMaker::answer(const RequestQueue::Request& request) {
  memoryx_.wait(plan_.ops[request.op].tensors);
  frames_.make(request.op, memoryx_.parameters(), [&](Frame frame) {
    wait_to_send();
    frame.pass = request.number;
    send_(frame);
  });
  send_({.type = FrameType::Op, .pass = request.number, .op = static_cast<std::uint32_t>(request.op)});
}

}  // namespace weft::swarmx
