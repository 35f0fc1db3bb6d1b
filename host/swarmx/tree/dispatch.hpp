/// The root's decisions about which member computes which micro-batch, without a network or a clock of their own.
///
/// As long as no member is lost or slow, pass r gives micro-batch r * N + k to the k-th of N members. A slow member
/// gets a trial now and then, a micro-batch that is complete, until it has done some of them as fast as the others.
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
  /// A member is slow if its tasks take this multiple of the usual time, which is the median of the others' paces; 0:
  /// never.
  double straggler = 3;
  /// Minimum time before a task is late. Half of it: time in which a member may hold up others; a tenth of it: minimum
  /// time of a slow task.
  std::chrono::milliseconds shortest{1000};
  std::chrono::milliseconds disconnect{0};  ///< time after which a member that stays slow is disconnected; 0: never
};

class Dispatch {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Duration = std::chrono::duration<double>;
  using Options = DispatchOptions;
  explicit Dispatch(Options options = {}) : options_(options) {}

  void join(std::uint32_t member_id) { members_[member_id]; }
  /// Removes a member; its unfinished tasks go to others.
  void remove_member(std::uint32_t member_id, const Ledger& ledger);
  std::size_t member_count() const { return members_.size(); }

  /// Begins a step of `micro_batches` micro-batches. Tasks of the previous step that are under way are remembered.
  void begin(std::uint32_t micro_batches);
  /// Notes tasks that the parent of a node has given to the node's members, which are only judged here.
  void assigned(std::uint32_t pass, const std::vector<Task>& tasks, Time now);
  /// Sets whether slow members get trials; without them they are disconnected at once.
  void set_trials(bool trials) { trials_ = trials; }
  /// Returns the tasks of `pass`, if one can begin now.
  std::optional<std::vector<Task>> next(std::uint32_t pass, Time now, const Ledger& ledger);
  /// Marks a task as done: the Stats of `micro_batch` have arrived for `pass`.
  void ended(std::uint32_t pass, std::uint32_t micro_batch, Time now, const Ledger& ledger);
  /// Notes that the task of a micro-batch has returned all. Its contributions may still wait, in a node's sums, for
  /// those of others: without this the member seems as slow as they are.
  void returned(std::uint32_t pass, std::uint32_t micro_batch, Time now);
  /// Notes that all given tasks have been streamed completely: only from now on can a member be late with them. Before
  /// that its stream may be waiting for another member's link.
  void streamed(Time now);
  /// Returns the members that are late from now on, and therefore slow: their tasks are not waited for. Each is
  /// returned once, until it has done its tasks.
  std::vector<std::uint32_t> take_late(Time now);
  /// Returns the members to be disconnected: those that have been slow for DispatchOptions::disconnect while others are
  /// not.
  std::vector<std::uint32_t> take_stuck(Time now);
  /// True if the member is slow and gets no task of its own.
  bool is_left_out(std::uint32_t member_id) const;

  /// Takes a member's report of the milliseconds in which it has computed, in all, modulo 2^32.
  void observe(std::uint32_t member_id, std::uint32_t busy, Time now);

  struct Work {
    std::uint64_t done = 0;  ///< tasks
    bool slow = false;
    std::optional<Duration> pace = {};   ///< mean time of the last tasks, each from the end of its stream
    std::optional<Duration> usual = {};  ///< median of the others' paces
    std::optional<Task> next;            ///< the current task
    std::optional<double> busy = {};     ///< share of the time with a task in which it has computed, of late
    bool over = false;                   ///< the current task is of a completed step
    Time since;                          ///< begin of the current task
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
    bool returned = false;
    bool held_up = false;  // another member has been idle because of it
  };
  /// Mean times of a member's last tasks, or of one task.
  struct Pace {
    Duration tail{};   // from the end of its stream
    Duration whole{};  // from when it became the member's next task
  };
  /// A slow member: it gets a trial, no earlier than `next`, until `missing` more tasks were fast.
  struct Slow {
    std::uint32_t missing = 1;
    Duration pause{};  // between two trials
    Time next;
    Time since;             // when it became slow, or take_stuck() returned it
    bool returned = false;  // by take_stuck()
  };
  /// Load that a member had reported at the begin of an interval.
  struct Report {
    std::uint32_t busy = 0;  // milliseconds
    Duration without{};      // time without a task until then
    Time at;
  };
  struct Member {
    std::deque<Open> open = {};  // oldest first
    bool late = false;
    std::optional<Pace> pace = {};
    std::uint32_t slow_tasks = 0;  // in a row
    Duration held_up{};            // time in which it has held up others, less a tenth of the time since
    std::uint32_t hold_ups = 0;    // tasks with which it has, since held_up was 0
    std::optional<Slow> slow = {};
    std::uint32_t relapses = 0;  // times that it became slow within kForget
    Time recovered = {};
    std::optional<Report> report = {};
    std::optional<double> busy = {};
    std::uint64_t done = 0;  // tasks
    std::chrono::duration<double> waits{};
    std::optional<Time> idle = {};
    void assign(const Open& task);
    /// The task at which it works; null: none.
    const Open* current() const { return current_of(*this); }
    Open* current() { return current_of(*this); }
    template <class Self>
    static auto current_of(Self& self) -> decltype(&self.open.front()) {
      for (auto& task : self.open)
        if (!task.returned) return &task;
      return nullptr;
    }
    void start_current(Time now);
  };
  struct Left {
    std::uint64_t done = 0;
    std::chrono::duration<double> waits{};
  };
  static constexpr std::uint64_t kParents = ~std::uint64_t{0};  // step of tasks that a parent has given
  static constexpr std::size_t kMostLeft = 256;
  static constexpr Duration kObserved{0.5};  // time with a task in which two reports are compared
  static constexpr std::uint32_t kSlowTasks = 3, kMostRelapses = 5;
  static constexpr std::chrono::seconds kMostPause{30}, kForget{60};
  static constexpr double kForgiven = 0.1;  // share of the time in which a member may hold up others
  bool is_late(std::uint32_t member_id, const Member& member, Time now) const;
  /// Median paces of the other members, the lower one of two; nothing before one of them has done a task.
  std::optional<Pace> usual(std::uint32_t member_id) const;
  bool is_fast(const Pace& task, const Pace& usual) const;
  void count_hold_ups(Time now);
  /// True if the member has held up others for too long and, unless it was slow a moment ago, repeatedly.
  bool holds_up(const Member& member, Time now) const;
  void judge(std::uint32_t member_id, Member& member, const Open& task, Time now);
  void make_slow(Member& member, Time now) const;
  static bool was_slow(const Member& member, Time now) {
    return member.recovered != Time{} && now - member.recovered < kForget;
  }
  /// True if the member gets no task of its own.
  bool is_left_out(const Member& member) const;
  /// Number of members that have the micro-batch under way.
  std::size_t holders(std::uint32_t micro_batch) const;
  void requeue(std::uint32_t micro_batch, const Ledger& ledger);
  std::vector<Task> new_tasks(std::uint32_t pass, Time now, const Ledger& ledger);
  std::vector<Task> backup_tasks(std::uint32_t pass, Time now, const Ledger& ledger);
  std::vector<Task> trial_tasks(std::uint32_t pass, Time now, const Ledger& ledger);

  Options options_;
  std::uint64_t step_ = 0;
  std::map<std::uint32_t, Member> members_;
  std::map<std::uint32_t, Left> left_;  // [member that has left]: its work; the last kMostLeft members
  std::deque<std::uint32_t> pending_;   // micro-batches to be given
  bool trials_ = true;
  Time counted_ = {};  // until when hold-ups are counted
};

}  // namespace weft::swarmx
