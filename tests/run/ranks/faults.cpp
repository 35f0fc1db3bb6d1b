#include "tests/run/ranks/faults.hpp"

#include <cstdio>

namespace weft::test {
namespace {

using FrameNames = std::vector<const char*>;

constexpr std::array<const char*, static_cast<std::size_t>(FaultKind::kCount)> kKinds = {
    "wafer killed",       "wafer stopped",      "wafer pauses",       "link cut",    "frame corrupted",
    "record corrupted",   "half a frame",       "link held",          "link slow",   "wafer joins",
    "data killed",        "data stopped",       "root killed",        "both killed", "root requeued",
    "disk full: metrics", "disk full: weights", "disk full: log",     "node killed", "node stopped",
    "memory killed",      "memory stopped",     "memory pauses",      "memory cut",  "memory corrupted",
    "half to memory",     "memory held",        "memory asked to end"};
constexpr std::array<const char*, static_cast<std::size_t>(Phase::kCount)> kPhases = {
    "joining", "streaming", "reducing", "update", "checkpoint", "between"};

/// Frames to and from ranks of MemoryX.
FrameNames memory_frames_of(Phase phase) {
  switch (phase) {
    case Phase::Joining:
      return {"Hello", "Welcome", "Plan", "Deal", "End"};
    case Phase::Streaming:
      return {"Op"};
    case Phase::Reducing:
      return {"Gradient", "Taken"};
    case Phase::Update:
      return {"Norm", "Apply", "Done"};
    case Phase::Checkpoint:
      return {"State"};
    default:
      return {"Step"};
  }
}

/// In Update and Checkpoint, the last Stats of a step; in Between, the first Begin of one.
FrameNames frames_of(Phase phase) {
  switch (phase) {
    case Phase::Joining:
      return {"Hello", "Welcome", "Plan"};
    case Phase::Streaming:
      return {"Begin", "Batch", "Op", "End"};
    case Phase::Reducing:
      return {"Gradient", "Loss", "Stats"};
    case Phase::Between:
      return {"Begin"};
    default:
      return {"Stats"};
  }
}

}  // namespace

std::vector<FaultKind> kinds_of(bool node, bool memory) {
  std::vector<FaultKind> kinds;
  for (int k = 0; k < static_cast<int>(FaultKind::kCount); ++k) {
    const auto kind = static_cast<FaultKind>(k);
    if ((node || !needs_node(kind)) && (memory || !needs_memory(kind))) kinds.push_back(kind);
  }
  return kinds;
}

std::string name_of(FaultKind kind) { return kKinds.at(static_cast<std::size_t>(kind)); }
std::string name_of(Phase phase) { return kPhases.at(static_cast<std::size_t>(phase)); }

std::vector<Phase> phases_of(FaultKind kind) {
  using enum Phase;
  switch (kind) {
    case FaultKind::Corrupt:
    case FaultKind::Half:
      return {Joining, Streaming, Reducing, Between};  // the last Stats is forwarded before the fault
    case FaultKind::Join:
    case FaultKind::FullMetrics:
      return {Streaming, Reducing, Update, Checkpoint, Between};
    case FaultKind::FullCheckpoint:
      return {Checkpoint};
    case FaultKind::FullLog:
      return {Joining};
    default:
      return {Joining, Streaming, Reducing, Update, Checkpoint, Between};
  }
}

Moment moment_of(FaultKind kind, Phase phase, std::uint64_t from, int checkpoint_steps, Rng& rng) {
  const bool memory = needs_memory(kind);
  FrameNames frames = memory ? memory_frames_of(phase) : frames_of(phase);
  // TLS protects handshakes from changes, and a half-sent one has a timeout of five seconds.
  const bool changed = kind == FaultKind::Corrupt || kind == FaultKind::Half || kind == FaultKind::CorruptMemory ||
                       kind == FaultKind::HalfMemory;
  if (phase == Phase::Joining && changed) frames = {"Plan"};
  return {phase, frames[rng.below(static_cast<std::uint32_t>(frames.size()))], from, checkpoint_steps, memory};
}

bool Moment::operator()(const Passing& passing) const {
  if (passing.name != frame) return false;
  if (phase == Phase::Joining) return true;
  if (passing.step < from) return false;
  if (memory) return phase != Phase::Checkpoint || passing.up;  // a State going down belongs to the start
  switch (phase) {
    case Phase::Update:
      return passing.last;
    case Phase::Checkpoint:
      return passing.last && (passing.step + 1) % static_cast<std::uint64_t>(checkpoint_steps) == 0;
    case Phase::Between:
      return passing.first;
    default:
      return !passing.last;
  }
}

void FaultCounts::add(const FaultCounts& other) {
  for (const auto& [what, count] : other.counts) {
    counts[what].asked += count.asked;
    counts[what].hit += count.hit;
  }
}

FaultCounts::Count FaultCounts::all() const {
  Count sum;
  for (const auto& [what, count] : counts) {
    sum.asked += count.asked;
    sum.hit += count.hit;
  }
  return sum;
}

void FaultCounts::print() const {
  std::printf("%-18s", "hit of asked");
  for (const char* phase : kPhases) std::printf(" %10s", phase);
  std::printf("\n");
  for (std::size_t kind = 0; kind < kKinds.size(); ++kind) {
    std::printf("%-18s", kKinds[kind]);
    for (std::size_t phase = 0; phase < kPhases.size(); ++phase) {
      const auto at = counts.find({static_cast<FaultKind>(kind), static_cast<Phase>(phase)});
      const std::string text =
          at == counts.end() ? "" : std::to_string(at->second.hit) + " of " + std::to_string(at->second.asked);
      std::printf(" %10s", text.c_str());
    }
    std::printf("\n");
  }
  std::printf("%d of %d faults hit a run at work\n", all().hit, all().asked);
}

}  // namespace weft::test
