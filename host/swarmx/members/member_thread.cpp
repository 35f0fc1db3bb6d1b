#include "host/swarmx/members/member_thread.hpp"

#include <pthread.h>

#include <boost/asio/local/connect_pair.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

#include "host/swarmx/base/error.hpp"
#include "host/swarmx/protocol/pass_returns.hpp"

namespace weft::swarmx {
namespace {

using Local = asio::local::stream_protocol::socket;

}  // namespace

void MemberThread::start(compiler::Plan plan) {
  plan_.emplace(std::move(plan));
  Local near(io_), far(io_);
  asio::local::connect_pair(near, far);
  for (Local* side : {&near, &far}) few_headers(side->native_handle());
  const PayloadQueues payloads = PayloadQueues::make();
  link_ = std::make_shared<Link>(plain_channel(Socket(std::move(near))), member_.name, std::chrono::milliseconds{},
                                 payloads);
  wire_ = std::make_unique<Wire>(far.release(), kRootName, payloads.other(), member_.watchdog);
  if (member_.watchdog != nullptr) member_.watchdog->reset();
  thread_ = guarded_thread(failure_, [this] {
    work();
    ended_.release();
  });
  if (member_.watchdog != nullptr && options_.on_hang) monitor_.emplace(*member_.watchdog, 6 * Link::kPatience);
}

/// Body of the thread; sends an exception up as its last frame.
void MemberThread::work() {
  ::pthread_setname_np(::pthread_self(), member_.name.substr(0, 15).c_str());  // for debuggers and ps
  try {
    member_.work(*plan_, *wire_);
  } catch (const PeerLost&) {  // closed by this process: the session ends
  } catch (...) {
    failure_.set(std::current_exception());
    failure_.guard([&] { wire_->write(member_.last_words(std::current_exception())); });
  }
  wire_.reset();
}

asio::awaitable<Frame> MemberThread::read() {
  if (member_.watchdog != nullptr) member_.watchdog->receiver_waits(true);
  Frame frame = co_await link_->read();
  if (member_.watchdog != nullptr) member_.watchdog->receiver_waits(false);
  co_return frame;
}

asio::awaitable<void> MemberThread::send(const Frame& frame) {
  if (member_.watchdog != nullptr) member_.watchdog->announce_frame();
  return link_->write(frame);
}

asio::awaitable<void> MemberThread::wait_for_hang() {
  asio::steady_timer timer(io_);
  do {
    timer.expires_after(options_.silence / 6);
    co_await timer.async_wait(asio::use_awaitable);
  } while (!monitor_->check());
  hung_ = true;
}

std::string MemberThread::hang_text() const {
  return member_.name + " has made no progress for " + seconds(Link::kPatience * options_.silence) +
         ": its compute thread hangs. HINT: check the rank's log and machine (a failed disk, a debugger), and start "
         "a replacement.";
}

void MemberThread::close() noexcept {
  if (link_) link_->close();
}

void MemberThread::end() {
  if (monitor_) {
    while (!hung_ && !ended_.try_acquire_for(options_.silence / 6)) hung_ = monitor_->check();
    if (hung_) options_.on_hang(hang_text());
  }
  thread_ = {};
}

}  // namespace weft::swarmx
