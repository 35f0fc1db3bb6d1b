/// Members of a root without wafers or clock.
#pragma once

#include <chrono>
#include <vector>

#include "host/swarmx/tree/dispatch.hpp"

namespace weft::swarmx {

using Tasks = std::vector<Task>;

/// A root without wafers: tests report the wafers' events by hand.
struct DispatchedRoot {
  explicit DispatchedRoot(DispatchOptions options = {}) : dispatch(options) {}

  void begin(std::uint32_t micro_batches) {
    ledger.begin(micro_batches, 2);
    dispatch.begin(micro_batches);
  }
  void join(std::uint32_t member_ids) {
    for (std::uint32_t member_id = 0; member_id < member_ids; ++member_id) dispatch.join(member_id);
  }
  /// The next pass's tasks; empty: no pass can begin.
  Tasks given() { return dispatch.next(pass++, now, ledger).value_or(Tasks{}); }
  /// The next pass's tasks, streamed at once.
  Tasks next() {
    Tasks tasks = given();
    dispatch.streamed(now);
    return tasks;
  }
  void contribute(std::uint32_t micro_batch, std::size_t bucket) { ledger.record({&micro_batch, 1}, bucket); }
  void end(std::uint32_t of_pass, std::uint32_t micro_batch) {
    contribute(micro_batch, 0);
    contribute(micro_batch, 1);
    dispatch.ended(of_pass, micro_batch, now, ledger);
  }

  Ledger ledger;
  Dispatch dispatch;
  std::uint32_t pass = 0;
  Dispatch::Time now{};
};

/// Three members that do a step of three micro-batches, in 10 ms; the last one takes `last`.
inline void work(DispatchedRoot& root, std::chrono::milliseconds last) {
  root.begin(3);
  const std::uint32_t pass = root.pass;
  const Tasks tasks = root.next();
  root.now += std::chrono::milliseconds(10);
  for (const Task& task : tasks)
    if (task.member_id != 2) root.end(pass, task.micro_batch);
  root.now += last - std::chrono::milliseconds(10);
  for (const Task& task : tasks)
    if (task.member_id == 2) root.end(pass, task.micro_batch);
}

}  // namespace weft::swarmx
