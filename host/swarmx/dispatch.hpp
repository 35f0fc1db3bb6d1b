/// Who does which micro-batch: the root's decisions, without a network or a clock of their own.
///
/// As long as nobody is lost or late, round r gives micro-batch r * N + k to the k-th of N seats. docs/swarm.md, The
/// root.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "host/swarmx/ledger.hpp"
#include "host/swarmx/payload.hpp"

namespace weft {

struct DispatchOptions {
  double straggler = 3;                      ///< times the usual, from where on a task's seat is late; 0: never
  std::chrono::milliseconds shortest{1000};  ///< but not before
};

class Dispatch {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Options = DispatchOptions;
  explicit Dispatch(Options options = {}) : options_(options) {}

  void join(std::uint32_t seat) { seats_[seat]; }
  /// What the seat has not done is for others.
  void leave(std::uint32_t seat, const Ledger& ledger);
  std::size_t seats() const { return seats_.size(); }

  /// A step of so many micro-batches begins. Tasks of the one before that are still under way are remembered.
  void begin(std::uint32_t micro_batches);
  /// The tasks of round `round`, if one can begin now.
  std::optional<std::vector<Task>> next(std::uint32_t round, Time now, const Ledger& ledger);
  /// The Stats of `micro_batch` have come from round `round`: that task is done.
  void ended(std::uint32_t round, std::uint32_t micro_batch, Time now, const Ledger& ledger);
  /// All tasks that were given are on their way, whole: from now on a seat can be late with them. One whose stream
  /// waits for another seat's link is not.
  void streamed(Time now);
  /// Seats that are late from now on: nobody is to wait for their tasks. Each once, until it has done them.
  std::vector<std::uint32_t> late(Time now);

  /// How long a task takes, usually; nothing before one was done.
  std::optional<std::chrono::duration<double>> usual() const { return usual_; }

  struct Work {
    std::uint64_t done = 0;  ///< tasks
    bool late = false;
    std::optional<Task> next;  ///< what it is at
    bool over = false;         ///< that is of a step that is complete
    Time since;                ///< it is at it
    /// Between tasks it had none for so long, until `idle` if it has none now and has had one.
    std::chrono::duration<double> waits{};
    std::optional<Time> idle = {};
  };
  /// What the seat does; of one that has left, what it did.
  Work work(std::uint32_t seat) const;

 private:
  struct Open {
    std::uint32_t round = 0;
    std::uint32_t micro_batch = 0;
    std::uint64_t step = 0;  // as begin() counts
    Time since;              // it is the seat's next
    std::optional<Time> streamed = {};
  };
  struct Seat {
    std::deque<Open> open = {};  // oldest first
    bool late = false;
    std::uint64_t done = 0;  // tasks
    std::chrono::duration<double> waits{};
    std::optional<Time> idle = {};
    void give(const Open& task);
  };
  struct Gone {
    std::uint64_t done = 0;
    std::chrono::duration<double> waits{};
  };
  static constexpr std::size_t kGone = 256;
  bool is_late(const Seat& seat, Time now) const;
  /// Seats that have the micro-batch under way.
  std::size_t holders(std::uint32_t micro_batch) const;
  void again(std::uint32_t micro_batch, const Ledger& ledger);
  std::vector<Task> fresh(std::uint32_t round, Time now, const Ledger& ledger);
  std::vector<Task> copies(std::uint32_t round, Time now, const Ledger& ledger);

  Options options_;
  std::uint64_t step_ = 0;
  std::map<std::uint32_t, Seat> seats_;
  std::map<std::uint32_t, Gone> gone_;  // [seat that has left]: what it had done; of the last kGone
  std::deque<std::uint32_t> pending_;   // micro-batches to be given
  std::optional<std::chrono::duration<double>> usual_;
};

}  // namespace weft
