/// What can go wrong with a run of several processes, and when.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/random.hpp"
#include "tests/run/ranks/frame_relay.hpp"

namespace weft {

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
  KillNode,  ///< of a run with nodes, as the next
  StopNode,
  KillMemory,  ///< of a run with ranks of MemoryX, as all that follow
  StopMemory,
  PauseMemory,
  CutMemory,
  CorruptMemory,
  HalfMemory,
  HoldMemory,
  AskMemory,  ///< to end, by a signal
  kCount
};
constexpr bool needs_node(FaultKind kind) { return kind == FaultKind::KillNode || kind == FaultKind::StopNode; }
constexpr bool needs_memory(FaultKind kind) { return kind >= FaultKind::KillMemory; }
/// Those of a run with such ranks.
std::vector<FaultKind> kinds_of(bool node, bool memory);
std::string name_of(FaultKind kind);

enum class Phase : std::uint8_t { Joining, Streaming, Reducing, Update, Checkpoint, Between, kCount };
std::string name_of(Phase phase);
/// When the kind may be asked for; never empty.
std::vector<Phase> phases_of(FaultKind kind);

/// A named frame of a step.
struct Moment {
  Phase phase = Phase::Joining;
  std::string frame;       ///< its name
  std::uint64_t from = 0;  ///< not before this step, but for joining
  int checkpoint_steps = 0;
  bool memory = false;  ///< of a rank of MemoryX
  bool operator()(const Passing& passing) const;
};
/// One of the phase's frames, such as the kind can be done at.
Moment moment_of(FaultKind kind, Phase phase, std::uint64_t from, int checkpoint_steps, test::Dice& dice);

/// Faults by kind and phase: asked for, and hit, which is that their frame came while the run was at work.
struct FaultTally {
  struct Count {
    int asked = 0, hit = 0;
  };
  std::map<std::pair<FaultKind, Phase>, Count> counts;
  void add(const FaultTally& other);
  Count all() const;
  void print() const;
};

}  // namespace weft
