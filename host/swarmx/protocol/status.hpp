/// Snapshot of what each member of a swarm does.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/swarmx/protocol/frame.hpp"

namespace weft::swarmx {

/// Load that a member reports in its heartbeats (Alive). The parent compares this report with the tasks that the member
/// has: a member that has a task and does not compute waits for its connection.
struct Load {
  std::uint32_t busy = 0;     ///< milliseconds in which it has computed, in all, modulo 2^32
  std::uint32_t ran = 1000;   ///< thousandths of the last half second in which its process ran, if it was not stopped
  std::uint32_t silence = 0;  ///< milliseconds without a frame of the member, as its parent sees it
  bool known = false;         ///< false: it has reported nothing yet

  std::uint64_t encoded() const {
    return busy | std::uint64_t{std::min(silence, kMostSilence)} << 32U | std::uint64_t{std::min(ran, 1000U)} << 52U |
           std::uint64_t{known ? 1U : 0U} << 62U;
  }
  static Load decoded(std::uint64_t word) {
    return {.busy = static_cast<std::uint32_t>(word),
            .ran = static_cast<std::uint32_t>(word >> 52U & 1023U),
            .silence = static_cast<std::uint32_t>(word >> 32U & kMostSilence),
            .known = (word >> 62U & 1U) != 0};
  }
  static constexpr std::uint32_t kMostSilence = (1U << 20U) - 1;
};

/// Traffic of a connection; bytes include frame headers. Counted in one thread, read in any.
struct Traffic {
  std::atomic<std::uint64_t> frames_to = 0, frames_from = 0, bytes_to = 0, bytes_from = 0;
  std::atomic<std::uint64_t> micro_batches = 0;        ///< ended (Stats) or received (Batch)
  std::atomic<std::uint64_t> load = Load().encoded();  ///< the member's last report
  std::atomic<std::int64_t> heard = 0;  ///< when the last frame arrived; milliseconds of the steady clock
  std::atomic<bool> receiving = false;  ///< a part of a frame has arrived

  static std::int64_t milliseconds_now() {
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }
  void hear() { heard.store(milliseconds_now(), std::memory_order_relaxed); }
  /// The last report, and the silence since the last frame, unless one is arriving.
  Load load_now() const {
    Load now = Load::decoded(load.load(std::memory_order_relaxed));
    const std::int64_t last = heard.load(std::memory_order_relaxed);
    if (last != 0 && !receiving)
      now.silence = static_cast<std::uint32_t>(std::min<std::int64_t>(milliseconds_now() - last, Load::kMostSilence));
    return now;
  }
  /// Counts a sent frame with so many bytes of payload.
  void count_sent(std::size_t payload) {
    frames_to.fetch_add(1, std::memory_order_relaxed);
    bytes_to.fetch_add(kHeaderBytes + payload, std::memory_order_relaxed);
  }
  void count_received(const Header& header) {
    frames_from.fetch_add(1, std::memory_order_relaxed);
    bytes_from.fetch_add(kHeaderBytes + header.length, std::memory_order_relaxed);
    if (header.frame.type == FrameType::Stats)
      micro_batches.fetch_add(header.frame.contains, std::memory_order_relaxed);
    if (header.frame.type == FrameType::Batch && header.frame.part == 0)
      micro_batches.fetch_add(1, std::memory_order_relaxed);
  }
};

/// A member's current task.
struct Doing {
  std::uint64_t step = 0;  ///< from 1; 0: of a completed step, no longer needed
  std::uint32_t micro_batch = 0;
  bool train = true;  ///< false: an evaluation
};

/// Status of a wafer, a node, a rank of MemoryX or a data rank; of one that has rejoined after a loss, its present
/// incarnation.
struct RankStatus {
  enum class State : std::uint8_t { NotYet, Here, Slow, Lost, Leaving };

  std::string name = {};  ///< "wafer 3"
  std::string host = {};  ///< the address it connected from; empty: in this process
  std::string node = {};  ///< wafers: parent node, if in another process
  State state = State::NotYet;
  std::string why = {};                              ///< for which reason it is lost, or leaves; what is slow
  std::chrono::system_clock::time_point since = {};  ///< when it entered this state; being slow does not count
  std::optional<Doing> doing = {};
  double waited = 0;                             ///< seconds spent on that
  double waits = 0;                              ///< wafers: seconds without a task since the first one
  std::uint64_t done = 0;                        ///< micro-batches since it joined
  std::uint64_t bytes_to = 0, bytes_from = 0;    ///< since it joined
  std::uint64_t frames_to = 0, frames_from = 0;  ///< since it joined
  std::uint32_t losses = 0;                      ///< number of times it was lost
  Load load = {};

  bool is_connected() const { return state == State::Here || state == State::Slow || state == State::Leaving; }
};

struct SwarmStatus {
  std::vector<RankStatus> wafers = {};  ///< in the order of their names' numbers, which may have gaps beyond num_csx
  std::optional<RankStatus> data = {};  ///< none: it never joined
  std::vector<RankStatus> memory = {};  ///< ranks of MemoryX, if it has its own; they belong to no swarm
  std::vector<RankStatus> nodes = {};   ///< nodes in other processes, in order as the wafers
  double stall = 0;                     ///< longest stall of the root's network thread in this step, seconds

  /// Number of connected wafers, including slow ones.
  std::size_t connected_wafers() const {
    return static_cast<std::size_t>(std::ranges::count_if(wafers, &RankStatus::is_connected));
  }
  /// "wafer 3 on 10.0.0.4: its link ..." for each slow wafer and rank of MemoryX.
  std::vector<std::string> slow_ranks() const {
    std::vector<std::string> result;
    for (const std::vector<RankStatus>* ranks : {&wafers, &memory})
      for (const RankStatus& rank : *ranks)
        if (rank.state == RankStatus::State::Slow) result.push_back(rank.name + " on " + rank.host + ": " + rank.why);
    return result;
  }
  /// Calls `at` for each member except the ranks of MemoryX, which outlive a swarm.
  template <class At>
  void each(const At& at) const {
    std::ranges::for_each(wafers, at);
    std::ranges::for_each(nodes, at);
    if (data) at(*data);
  }
};

}  // namespace weft::swarmx
