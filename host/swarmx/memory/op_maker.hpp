/// Thread of a rank of MemoryX that makes the frames of ops, as many as the root has requested.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>

#include "host/memoryx/memoryx.hpp"
#include "host/swarmx/base/progress_watchdog.hpp"
#include "host/swarmx/memory/request_queue.hpp"
#include "host/swarmx/protocol/frame.hpp"
#include "host/swarmx/protocol/op_frames.hpp"

namespace weft::swarmx {

class OpMaker {
 public:
  using Send = std::function<void(const Frame&)>;
  /// `plan` and `memoryx` must outlive this. `send` is called in the thread of this object. `failed` is called in a
  /// handler of an exception of `send` or of an update. `watchdog` has work pending while a request does; may be null.
  OpMaker(const compiler::Plan& plan, memoryx::MemoryX& memoryx, Send send, std::function<void()> failed,
          ProgressWatchdog* watchdog = nullptr);
  /// Aborts the current op.
  ~OpMaker();
  OpMaker(const OpMaker&) = delete;
  OpMaker& operator=(const OpMaker&) = delete;

  /// Requests `count` frames of the op. Requests before `first` are forgotten.
  void request(std::uint32_t number, std::size_t op, std::uint32_t count, std::uint32_t first);
  /// Requests `count` more frames. Returns false if the request was not made yet; true also if it is answered by now.
  /// From any thread, as the others.
  bool request_more(std::uint32_t number, std::uint32_t count);
  /// Forgets all requests; returns when no weight is being read.
  void forget();

 private:
  void run(const std::stop_token& stop);
  void announce();
  void wait_to_send();
  void answer(const RequestQueue::Request& request);

  const compiler::Plan& plan_;
  memoryx::MemoryX& memoryx_;
  Send send_;
  std::function<void()> failed_;
  OpFrames frames_;
  ProgressWatchdog* watchdog_;
  std::mutex mutex_;  // guards the next three
  std::condition_variable_any changed_;
  RequestQueue requests_;
  bool pending_ = false;  // as reported to watchdog_
  std::jthread thread_;
};

}  // namespace weft::swarmx
