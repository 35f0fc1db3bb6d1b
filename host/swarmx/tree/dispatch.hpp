/// The root's decisions about which member computes which micro-batch, without a network or a clock of their own.
///
/// As long as no member is lost or late, pass r gives micro-batch r * N + k to the k-th of N members.
/// docs/explanation/swarm.md, The root.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "host/swarmx/protocol/payload.hpp"
#include "host/swarmx/tree/ledger.hpp"

namespace weft::swarmx {

struct DispatchOptions {
  double straggler = 3;                      ///< multiple of the usual time of a task after which it is late; 0: never
  std::chrono::milliseconds shortest{1000};  ///< minimum time before a member is late
};

class Dispatch {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Options = DispatchOptions;
  explicit Dispatch(Options options = {}) : options_(options) {}

  void join(std::uint32_t member_id) { members_[member_id]; }
  /// Removes a member; its unfinished tasks go to others.
  void remove_member(std::uint32_t member_id, const Ledger& ledger);
  std::size_t member_count() const { return members_.size(); }

  /// Begins a step of `micro_batches` micro-batches. Tasks of the previous step that are under way are remembered.
  void begin(std::uint32_t micro_batches);
  /// Returns the tasks of `pass`, if one can begin now.
  std::optional<std::vector<Task>> next(std::uint32_t pass, Time now, const Ledger& ledger);
  /// Marks a task as done: the Stats of `micro_batch` have arrived for `pass`.
  void ended(std::uint32_t pass, std::uint32_t micro_batch, Time now, const Ledger& ledger);
  /// Notes that all given tasks have been streamed completely: only from now on can a member be late with them. Before
  /// that its stream may be waiting for another member's link.
  void streamed(Time now);
  /// Returns the members that are late from now on: their tasks are not waited for. Each is returned once, until it has
  /// done its tasks.
  std::vector<std::uint32_t> take_late(Time now);

  /// Returns the usual time of a task; nothing before one was done.
  std::optional<std::chrono::duration<double>> usual_time() const { return usual_; }

  struct Work {
    std::uint64_t done = 0;  ///< tasks
    bool late = false;
    std::optional<Task> next;  ///< the current task
    bool over = false;         ///< the current task is of a completed step
    Time since;                ///< begin of the current task
    /// Total time without a task between two tasks; does not include the time since `idle`, which is set if the member
    /// has no task now and has had one.
    std::chrono::duration<double> waits{};
    std::optional<Time> idle = {};
  };
  /// Returns what the member does; of one that has left, what it did.
  Work work(std::uint32_t member_id) const;

 private:
  struct Open {
    std::uint32_t pass = 0;
    std::uint32_t micro_batch = 0;
    std::uint64_t step = 0;  // as counted by begin()
    Time since;              // when it became the member's next task
    std::optional<Time> streamed = {};
  };
  struct Member {
    std::deque<Open> open = {};  // oldest first
    bool late = false;
    std::uint64_t done = 0;  // tasks
    std::chrono::duration<double> waits{};
    std::optional<Time> idle = {};
    void assign(const Open& task);
  };
  struct Left {
    std::uint64_t done = 0;
    std::chrono::duration<double> waits{};
  };
  static constexpr std::size_t kMostLeft = 256;
  bool is_late(const Member& member, Time now) const;
  /// Number of members that have the micro-batch under way.
  std::size_t holders(std::uint32_t micro_batch) const;
  void requeue(std::uint32_t micro_batch, const Ledger& ledger);
  std::vector<Task> new_tasks(std::uint32_t pass, Time now, const Ledger& ledger);
  std::vector<Task> backup_tasks(std::uint32_t pass, Time now, const Ledger& ledger);

  Options options_;
  std::uint64_t step_ = 0;
  std::map<std::uint32_t, Member> members_;
  std::map<std::uint32_t, Left> left_;  // [member that has left]: its work; the last kMostLeft members
  std::deque<std::uint32_t> pending_;   // micro-batches to be given
  std::optional<std::chrono::duration<double>> usual_;
};

}  // namespace weft::swarmx
