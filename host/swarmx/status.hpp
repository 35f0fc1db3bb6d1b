/// Who does what in a swarm, at one moment.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/swarmx/frame.hpp"

namespace weft {

/// What goes over a connection, frames with their headers. Counted in one thread, read in any.
struct Traffic {
  std::atomic<std::uint64_t> frames_to = 0, frames_from = 0, bytes_to = 0, bytes_from = 0;
  std::atomic<std::uint64_t> micro_batches = 0;  ///< that have ended, or were given, by what came

  /// A frame with so many bytes of payload.
  void went(std::size_t payload) {
    frames_to.fetch_add(1, std::memory_order_relaxed);
    bytes_to.fetch_add(kHeaderBytes + payload, std::memory_order_relaxed);
  }
  void came(const Header& header) {
    frames_from.fetch_add(1, std::memory_order_relaxed);
    bytes_from.fetch_add(kHeaderBytes + header.length, std::memory_order_relaxed);
    if (header.frame.type == FrameType::Stats)
      micro_batches.fetch_add(header.frame.contains, std::memory_order_relaxed);
    if (header.frame.type == FrameType::Batch && header.frame.part == 0)
      micro_batches.fetch_add(1, std::memory_order_relaxed);
  }
};

/// A task that a seat is at.
struct Doing {
  std::uint64_t step = 0;  ///< from 1; 0: of a step that is over, work that nobody needs any more
  std::uint32_t micro_batch = 0;
  bool train = true;  ///< false: an evaluation
};

/// A wafer, a node, a rank of MemoryX, or the one that reads the data; if it was lost and is back, the one that is
/// back.
struct RankStatus {
  enum class State : std::uint8_t { NotYet, Here, Late, Lost, Leaves };

  std::string name = {};  ///< "wafer 3"
  std::string host = {};  ///< the address it came from; empty: it is in this process
  std::string node = {};  ///< of a wafer: the node of another process that it is below
  State state = State::NotYet;
  std::string why = {};                              ///< it is lost, or leaves
  std::chrono::system_clock::time_point since = {};  ///< it is in this state, but for being late
  std::optional<Doing> doing = {};
  double waited = 0;                             ///< seconds it has been at that
  double waits = 0;                              ///< of a wafer: seconds without a task since it had its first
  std::uint64_t done = 0;                        ///< micro-batches since it came
  std::uint64_t bytes_to = 0, bytes_from = 0;    ///< since it came
  std::uint64_t frames_to = 0, frames_from = 0;  ///< the same
  std::uint32_t losses = 0;                      ///< so often it was lost

  bool here() const { return state == State::Here || state == State::Late || state == State::Leaves; }
};

struct SwarmStatus {
  std::vector<RankStatus> wafers = {};  ///< in the order of their names' numbers, which may have gaps beyond num_csx
  std::optional<RankStatus> data = {};  ///< none: it never came
  std::vector<RankStatus> memory = {};  ///< MemoryX, if it has ranks of its own, which are no swarm's
  std::vector<RankStatus> nodes = {};   ///< of other processes, as the wafers

  /// Wafers that are here, late ones too.
  std::size_t here() const { return static_cast<std::size_t>(std::ranges::count_if(wafers, &RankStatus::here)); }
  /// Those that are no MemoryX's, which no swarm ends.
  template <class At>
  void each(const At& at) const {
    std::ranges::for_each(wafers, at);
    std::ranges::for_each(nodes, at);
    if (data) at(*data);
  }
};

}  // namespace weft
