/// Of a rank of MemoryX: makes the frames of ops that the root asks for, in a thread, as far as it is asked.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>

#include "host/memoryx/memoryx.hpp"
#include "host/swarmx/frame.hpp"
#include "host/swarmx/memory/questions.hpp"
#include "host/swarmx/op_frames.hpp"
#include "host/swarmx/pulse.hpp"

namespace weft {

class OpMaker {
 public:
  using Send = std::function<void(const Frame&)>;
  /// `plan` and `memoryx` must outlive this. `send` is called in its thread; what that or an update throws `failed` is
  /// told, in a handler. `pulse` is told when it owes something; null: nobody looks.
  OpMaker(const Plan& plan, MemoryX& memoryx, Send send, std::function<void()> failed, Pulse* pulse = nullptr);
  /// Gives up what it is at.
  ~OpMaker();
  OpMaker(const OpMaker&) = delete;
  OpMaker& operator=(const OpMaker&) = delete;

  /// For `count` frames of the op. Questions before `first` are forgotten.
  void ask(std::uint32_t question, std::size_t op, std::uint32_t count, std::uint32_t first);
  /// For so many more, if that was asked; it may be answered by now. From any thread, as the others.
  bool more(std::uint32_t question, std::uint32_t count);
  /// Nothing is wanted any more; returns when no weight is read.
  void forget();

 private:
  void run(const std::stop_token& stop);
  void announce();
  void wait_to_send();
  void answer(const Questions::Question& question);

  const Plan& plan_;
  MemoryX& memoryx_;
  Send send_;
  std::function<void()> failed_;
  OpFrames frames_;
  Pulse* pulse_;
  std::mutex mutex_;  // of the next three
  std::condition_variable_any changed_;
  Questions questions_;
  bool owes_ = false;  // as the pulse was told
  std::jthread thread_;
};

}  // namespace weft
