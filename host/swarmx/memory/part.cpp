#include "host/swarmx/memory/part.hpp"

#include <pthread.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <new>
#include <optional>
#include <thread>
#include <utility>

#include "host/swarmx/base/error.hpp"
#include "host/swarmx/memory/op_maker.hpp"
#include "host/swarmx/memory/part_state.hpp"
#include "host/swarmx/memory/state_sender.hpp"
#include "host/swarmx/protocol/error_frame.hpp"
#include "host/swarmx/protocol/pass_returns.hpp"
#include "host/swarmx/protocol/payload.hpp"
#include "sw/base/failure.hpp"

namespace weft::swarmx {
namespace {

/// Service of a rank of MemoryX. The reader thread keeps reading, and a second thread handles the frames in order. The
/// second thread may wait for updates, and an update may wait until the root has taken chunks of a checkpoint. The root
/// gets a credit (Taken) for each large frame that was handled, so that few large frames are in flight.
class MemoryPart {
 public:
  MemoryPart(const compiler::Plan& plan, std::string name, unsigned threads, Wire& root, ProgressWatchdog* watchdog)
      : plan_(plan), name_(std::move(name)), threads_(threads), root_(root), watchdog_(watchdog) {}
  /// Wakes all waits for the root, and ends all threads.
  ~MemoryPart() {
    handler_.request_stop();
    if (state_) state_->close();
  }
  MemoryPart(const MemoryPart&) = delete;
  MemoryPart& operator=(const MemoryPart&) = delete;

  void run() {
    const Frame assignment = root_.read();
    if (assignment.type == FrameType::Stop) return;
    begin(assignment);
    handler_ = std::jthread([this](const std::stop_token& stop) {
      call_this(" takes");
      try {
        handle_all(stop);
      } catch (...) {
        failed();
      }
    });
    try {
      read_all();
    } catch (const PeerLost&) {  // the root was notified, and has ended
      own_.check();
      throw;
    }
  }

 private:
  void read_all() {
    for (Frame frame = root_.read(); frame.type != FrameType::Stop; frame = root_.read()) {
      if (is_more(frame)) continue;
      const std::lock_guard lock(mutex_);
      expect_work();
      frames_.push_back(std::move(frame));
      changed_.notify_one();
    }
  }

  void begin(const Frame& assignment) {
    const ProgressWatchdog::Idle rest(watchdog_);  // memory for a large part may take long
    part_.emplace(plan_, assignment, threads_);
    if (watchdog_ != nullptr) part_->memoryx().count_progress(watchdog_->count());
    const auto send_one = [this](const Frame& frame) { send(frame); };
    state_.emplace(part_->memoryx(), send_one, watchdog_);
    maker_.emplace(
        plan_, part_->memoryx(), send_one, [this] { failed(); }, watchdog_);
  }
  /// Names this thread, for debuggers and ps.
  void call_this(const char* what) { ::pthread_setname_np(::pthread_self(), (name_ + what).substr(0, 15).c_str()); }
  void expect_work() {
    if (watchdog_ != nullptr) watchdog_->expect();
  }
  void work_done() {
    if (watchdog_ != nullptr) watchdog_->done();
  }

  /// Handles a request for more of a pending answer; false: the frame is none.
  bool is_more(const Frame& frame) {
    if (frame.payload) return false;
    if (frame.type == FrameType::Op) return maker_->request_more(frame.pass, frame.contains);
    return frame.type == FrameType::State && state_->request_more(frame);
  }

  void handle_all(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (changed_.wait(lock, stop, [this] { return !frames_.empty(); }) && !stop.stop_requested()) {
      const Frame frame = std::move(frames_.front());
      frames_.pop_front();
      lock.unlock();
      handle(frame);
      work_done();
      lock.lock();
    }
  }

  void handle(const Frame& frame) {
    if (frame.type == FrameType::State && !frame.payload) return state_->begin(frame);
    if (frame.type == FrameType::Op) {
      if (frame.op >= plan_.ops.size()) broken(kRootName, "requests something outside this plan");
      return maker_->request(frame.pass, frame.op, frame.contains, frame.part);
    }
    if (PartState::writes(frame)) maker_->forget();
    {
      const ProgressWatchdog::Pause cannot_say(PartState::passes(frame) ? watchdog_ : nullptr);
      say(part_->handle(frame));
    }
    if (PartState::counts(frame)) send({.type = FrameType::Taken, .contains = 1});
    if (frame.type != FrameType::Apply) return;
    expect_work();
    settler_ = std::jthread([this] {
      call_this(" settles");
      try {
        say(part_->finish_update());
        work_done();
      } catch (...) {
        failed();
      }
    });
  }

  void say(const std::vector<Frame>& frames) {
    for (const Frame& frame : frames) send(frame);
  }
  /// Sends a frame, from any thread.
  void send(const Frame& frame) {
    const std::lock_guard lock(sending_);
    root_.write(frame);
  }
  /// Reports the current exception to the root, which then closes the connection. Called in a catch block of any
  /// thread except the reader.
  void failed() noexcept {
    try {
      throw;
    } catch (const PeerLost&) {  // the reader reports it
    } catch (...) {
      own_.set(std::current_exception());
      FirstFailure ignored;  // the connection is gone
      ignored.guard([this] { send(last_words(name_, own_.get())); });
    }
  }

  const compiler::Plan& plan_;
  const std::string name_;
  const unsigned threads_;
  FirstFailure own_;
  std::mutex sending_;
  Wire& root_;
  ProgressWatchdog* watchdog_;  // watchdog of all threads; null: none
  std::mutex mutex_;            // guards the next two
  std::condition_variable_any changed_;
  std::deque<Frame> frames_;          // read, not taken
  std::optional<StateSender> state_;  // closed before the next ends
  std::optional<PartState> part_;
  std::optional<OpMaker> maker_;
  std::jthread settler_, handler_;  // last: they use the others
};

}  // namespace

Frame last_words(const std::string& name, std::exception_ptr failure) {
  try {
    std::rethrow_exception(std::move(failure));
  } catch (const std::bad_alloc&) {
    return error_frame(
        ErrorKind::Swarm,
        name + ": not enough memory. HINT: use a machine with more memory, or more ranks (memoryx.ranks).");
  } catch (...) {
    return error_frame_of_caught(name);
  }
}

void memory_worker_loop(const compiler::Plan& plan, const std::string& name, unsigned threads, Wire& root,
                        ProgressWatchdog* watchdog) {
  MemoryPart(plan, name, threads, root, watchdog).run();
}

}  // namespace weft::swarmx
