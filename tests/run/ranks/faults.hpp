/// Faults of a run of several processes, and the moments at which they are injected.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/random.hpp"
#include "tests/run/ranks/frame_relay.hpp"

namespace weft::test {

enum class FaultKind : std::uint8_t {
  Kill,
  Stop,
  Pause,
  Cut,
  Corrupt,
  CorruptRecord,
  Half,
  Hold,
  Slow,
  Join,
  KillData,
  StopData,
  KillRoot,
  KillBoth,
  InterruptRoot,
  FullMetrics,
  FullCheckpoint,
  FullLog,
  KillNode,  ///< this and the next one: only in runs with nodes
  StopNode,
  KillMemory,  ///< this and all that follow: only in runs with ranks of MemoryX
  StopMemory,
  PauseMemory,
  CutMemory,
  CorruptMemory,
  HalfMemory,
  HoldMemory,
  AskMemory,  ///< asks it to end, by a signal
  kCount
};
constexpr bool needs_node(FaultKind kind) { return kind == FaultKind::KillNode || kind == FaultKind::StopNode; }
constexpr bool needs_memory(FaultKind kind) { return kind >= FaultKind::KillMemory; }
/// Faults that are possible in a run with or without nodes and ranks of MemoryX.
std::vector<FaultKind> kinds_of(bool node, bool memory);
std::string name_of(FaultKind kind);

enum class Phase : std::uint8_t { Joining, Streaming, Reducing, Update, Checkpoint, Between, kCount };
std::string name_of(Phase phase);
/// Phases in which the fault can be injected; never empty.
std::vector<Phase> phases_of(FaultKind kind);

/// A named frame of a step.
struct Moment {
  Phase phase = Phase::Joining;
  std::string frame;       ///< name of the frame
  std::uint64_t from = 0;  ///< first step to consider, except in joining
  int checkpoint_steps = 0;
  bool memory = false;  ///< on a connection of a rank of MemoryX
  bool operator()(const Passing& passing) const;
};
/// A random frame of the phase at which the fault can be injected.
Moment moment_of(FaultKind kind, Phase phase, std::uint64_t from, int checkpoint_steps, Rng& rng);

/// Faults by kind and phase: requested, and injected, i.e. the frame occurred while the run was active.
struct FaultCounts {
  struct Count {
    int asked = 0, hit = 0;
  };
  std::map<std::pair<FaultKind, Phase>, Count> counts;
  void add(const FaultCounts& other);
  Count all() const;
  void print() const;
};

}  // namespace weft::test
