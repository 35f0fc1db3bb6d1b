#include "host/swarmx/memory/part.hpp"

#include <algorithm>
#include <bit>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "host/memoryx/memoryx.hpp"
#include "host/swarmx/contribution.hpp"
#include "host/swarmx/error.hpp"
#include "host/swarmx/memory/deal.hpp"
#include "host/swarmx/memory/op_maker.hpp"
#include "host/swarmx/memory/parts.hpp"
#include "host/swarmx/memory/state_sender.hpp"
#include "host/swarmx/payload.hpp"
#include "host/swarmx/round_returns.hpp"
#include "host/swarmx/told.hpp"
#include "sw/base/failure.hpp"

namespace weft {
namespace {

/// One thread reads, whatever goes on; another takes what is read, in order, and may wait for updates, which may wait
/// for the root to take a checkpoint's pieces. Few frames of size come at a time: the root hears of each that is taken.
class MemoryPart {
 public:
  MemoryPart(const Plan& plan, std::string name, unsigned threads, Wire& root)
      : plan_(plan), name_(std::move(name)), threads_(threads), root_(root) {}
  /// Whoever waits for the root wakes, and all threads end.
  ~MemoryPart() {
    taker_.request_stop();
    if (state_) state_->close();
  }
  MemoryPart(const MemoryPart&) = delete;
  MemoryPart& operator=(const MemoryPart&) = delete;

  void run() {
    Frame frame = root_.read();
    if (frame.type == FrameType::Stop) return;
    if (frame.type != FrameType::Deal) broken(kRoot, "does not begin with a part");
    begin(decode_part(frame.bytes()));
    taker_ = std::jthread([this](const std::stop_token& stop) {
      try {
        take_all(stop);
      } catch (...) {
        failed();
      }
    });
    for (frame = root_.read(); frame.type != FrameType::Stop; frame = root_.read()) {
      if (is_more(frame)) continue;
      const std::lock_guard lock(mutex_);
      frames_.push_back(std::move(frame));
      changed_.notify_one();
    }
  }

 private:
  /// Asks for more of what is being answered.
  bool is_more(const Frame& frame) {
    if (frame.payload) return false;
    if (frame.type == FrameType::Op) return maker_->more(frame.round, frame.contains);
    return frame.type == FrameType::State && state_->more(frame);
  }

  void take_all(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (changed_.wait(lock, stop, [this] { return !frames_.empty(); }) && !stop.stop_requested()) {
      const Frame frame = std::move(frames_.front());
      frames_.pop_front();
      lock.unlock();
      take(frame);
      if (frame.payload && (frame.type == FrameType::Gradient || frame.type == FrameType::State))
        send({.type = FrameType::Taken, .contains = 1});
      lock.lock();
    }
  }

  void take(const Frame& frame) {
    switch (frame.type) {
      case FrameType::State:
        return frame.payload ? put(frame) : state_->begin(frame);
      case FrameType::End:
        return loaded();
      case FrameType::Step:
        maker_->forget();
        return memoryx_->begin_step(frame.contains);
      case FrameType::Op:
        check(frame.op < plan_.ops.size());
        return maker_->ask(frame.round, frame.op, frame.contains, frame.part);
      case FrameType::Gradient:
        return add(frame);
      case FrameType::Norm:
        return say(norm_frames(memoryx_->squares(numbers(frame, 1)[0]), own_));
      case FrameType::Apply:
        return apply(frame);
      default:
        broken(kRoot, "sends what is nothing to a rank of MemoryX");
    }
  }

  static void check(bool holds) {
    if (!holds) broken(kRoot, "sends what is not of this plan");
  }
  static std::span<const std::uint64_t> numbers(const Frame& frame, std::size_t count) {
    const auto all = decode_numbers<std::uint64_t>(frame.bytes());
    check(all.size() == count && all[0] > 0);
    return all;
  }

  void begin(const PartOptions& part) {
    check(part.shards.last <= shard_count(plan_.parameters));
    own_ = part.shards;
    memoryx_.emplace(plan_, MemoryXOptions{.optimizer = part.optimizer,
                                           .no_decay = part.no_decay,
                                           .frozen = part.frozen,
                                           .seed = part.seed,
                                           .threads = threads_,
                                           .shards = own_});
    state_.emplace(*memoryx_, [this](const Frame& frame) { send(frame); });
    maker_.emplace(
        plan_, *memoryx_, [this](const Frame& frame) { send(frame); }, [this] { failed(); });
  }

  /// A piece of the state in the place of what there is.
  void put(const Frame& frame) {
    maker_->forget();
    const auto vectors = memoryx_->store().vectors();
    const auto values = decode_numbers<float>(frame.bytes());
    const std::uint64_t end = own_.end(plan_.parameters);
    check(frame.op < vectors.size() && frame.step >= own_.begin(plan_.parameters) && frame.step < end &&
          values.size() <= end - frame.step);
    std::ranges::copy(values, vectors[frame.op].begin() + static_cast<std::ptrdiff_t>(frame.step));
  }
  void loaded() {
    ParameterStore& store = memoryx_->store();
    for (const auto& vector : store.vectors()) prune(plan_.tensors, plan_.mask, store, vector, own_);
    say(done_frames(memoryx_->settled_shards(), own_, std::nullopt));
  }

  void add(const Frame& frame) {
    check(frame.op < plan_.ops.size() && plan_.ops[frame.op].returns == Returns::Gradient);
    const auto values = decode_numbers<std::int64_t>(frame.bytes());
    const std::size_t first = std::size_t{frame.part} * kPartValues, words = gradient_words(plan_.ops[frame.op]);
    check(first <= words && values.size() <= words - first);
    memoryx_->add(frame.op, first, values);
  }

  void apply(const Frame& frame) {
    maker_->forget();
    const auto all = numbers(frame, 3);
    memoryx_->apply(frame.step, all[0],
                    {.learning_rate = std::bit_cast<double>(all[1]), .clip = std::bit_cast<double>(all[2])});
    settles_ = std::jthread([this] {
      try {
        const auto diverged = memoryx_->diverged();
        say(done_frames(memoryx_->settled_shards(), own_, diverged));
      } catch (...) {
        failed();
      }
    });
  }

  void say(const std::vector<Frame>& frames) {
    for (const Frame& frame : frames) send(frame);
  }
  /// From any thread.
  void send(const Frame& frame) {
    const std::lock_guard lock(sending_);
    root_.write(frame);
  }
  /// In a handler of a thread that is not the reader's: the root ends what this cannot go on with.
  void failed() noexcept {
    FirstFailure ignored;  // the connection is gone: whoever reads it says so
    ignored.guard([this] { send(error_frame_of_caught(name_)); });
  }

  const Plan& plan_;
  const std::string name_;
  const unsigned threads_;
  std::mutex sending_;
  Wire& root_;
  ShardRange own_;
  std::mutex mutex_;  // of the next two
  std::condition_variable_any changed_;
  std::deque<Frame> frames_;          // read, not taken
  std::optional<StateSender> state_;  // is closed before the next ends
  std::optional<MemoryX> memoryx_;
  std::optional<OpMaker> maker_;
  std::jthread settles_, taker_;  // last: they use the others
};

}  // namespace

void serve_part(const Plan& plan, const std::string& name, unsigned threads, Wire& root) {
  MemoryPart(plan, name, threads, root).run();
}

}  // namespace weft
