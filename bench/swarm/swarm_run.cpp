#include "bench/swarm/swarm_run.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <stdexcept>

#include "bench/common/processes.hpp"
#include "bench/common/processor_time.hpp"
#include "bench/common/replay.hpp"
#include "host/memoryx/memoryx.hpp"
#include "host/swarmx/root/swarm.hpp"

namespace weft::bench {
namespace {

/// Process and thread ids of a member, in memory that it shares with its parent.
struct Member {
  std::atomic<pid_t> process, wafer;
};

class Members {
 public:
  explicit Members(int count) : bytes_(sizeof(Member) * static_cast<std::size_t>(count)), count_(count) {
    void* memory = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::runtime_error("cannot map shared memory");
    members_ = static_cast<Member*>(memory);  // zero-initialized
  }
  ~Members() { ::munmap(members_, bytes_); }
  Members(const Members&) = delete;
  Members& operator=(const Members&) = delete;

  /// Called in the member, by the wafer's thread.
  void here(int id) {
    members_[id].process = ::getpid();
    members_[id].wafer = ::gettid();
  }
  double all_seconds() const {
    return sum([](const Member& m) { return process_seconds(m.process); });
  }
  double wafer_seconds() const {
    return sum([](const Member& m) { return thread_seconds(m.process, m.wafer); });
  }

 private:
  template <class Value>
  double sum(const Value& value) const {
    double all = 0;
    for (int id = 0; id < count_; ++id) all += value(members_[id]);
    return all;
  }
  Member* members_ = nullptr;
  std::size_t bytes_;
  int count_;
};

/// All times so far.
SwarmTimes read_times(const Members& members, pid_t network) {
  SwarmTimes t;
  t.stream = own_thread_seconds(::gettid());
  t.network = own_thread_seconds(network);
  t.memoryx = process_seconds(::getpid()) - t.stream - t.network;
  t.member_wafer = members.wafer_seconds();
  t.member_network = members.all_seconds() - t.member_wafer;
  t.others = machine_seconds() - t.processor();
  return t;
}

}  // namespace

SwarmTimes run_swarm(const SwarmRun& run, int steps) {
  const compiler::Plan plan = replay_plan(run.layers);
  const auto credentials = some_key();
  Members members(run.wafers);
  std::vector<std::unique_ptr<WaferProcess>> processes;
  for (int id = 0; id < run.wafers; ++id) {
    processes.push_back(std::make_unique<WaferProcess>(
        swarmx::MemberOptions{.id = id,
                              .make_wafer =
                                  [&](int) {
                                    members.here(id);
                                    return make_replay_wafer(plan, {.wafer = run.micro_batch});
                                  },
                              .join = {.credentials = credentials, .job = "bench"}}));
  }
  memoryx::MemoryX memoryx(plan, {});
  std::atomic<pid_t> network = 0;
  swarmx::Swarm swarm(plan, {.num_csx = run.wafers,
                             .local_wafers = 0,
                             .micro_batches = static_cast<std::uint32_t>(run.micro_batches),
                             .straggler = 0,  // off, because load on the machine delays all members
                             .make_wafer = {},
                             .get = [&](const swarmx::BatchRequest&) { return replay_batch(plan); },
                             .credentials = credentials,
                             .job = "bench",
                             .say = [&](const std::string&) { network = ::gettid(); }});
  for (const auto& process : processes) process->join(swarm.port());
  SwarmTimes before, best;
  auto start = Clock::now();
  for (int k = 0; k <= steps; ++k) {
    if (k == 1) before = read_times(members, network), start = Clock::now();  // the first step waits for all members
    const auto begin = Clock::now();
    if (run.train) {
      swarm.step(static_cast<std::uint64_t>(k), memoryx);
      memoryx.finish_update();
    } else {
      swarm.evaluate(static_cast<std::uint64_t>(k), static_cast<std::uint32_t>(run.micro_batches), memoryx);
    }
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    if (k > 0) best.step = k == 1 ? seconds : std::min(best.step, seconds);
  }
  const double all = std::chrono::duration<double>(Clock::now() - start).count();
  const SwarmTimes after = read_times(members, network);
  const auto each = [&](double SwarmTimes::*part) { best.*part = (after.*part - before.*part) / steps; };
  for (const auto part : {&SwarmTimes::stream, &SwarmTimes::network, &SwarmTimes::memoryx, &SwarmTimes::member_network,
                          &SwarmTimes::member_wafer})
    each(part);
  best.others = (after.others - before.others) / all;
  return best;
}

}  // namespace weft::bench
