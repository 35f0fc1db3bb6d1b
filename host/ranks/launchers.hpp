/// Determines a process's rank and the number of ranks, as set by the user or the launcher.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "host/ranks/environment.hpp"

namespace weft::ranks {

/// A rank, the number of ranks, and the variables that define them.
struct RankClaim {
  const char* rank_name = "";
  const char* world_name = "";
  int rank = 0, world = 1;

  bool same_as(const RankClaim& other) const { return rank == other.rank && world == other.world; }
};

/// The Slurm step of this process.
struct SlurmStep {
  std::int64_t job = 0, id = 0;
  std::optional<RankClaim> claim = {};  ///< unset if Slurm's numbers are inconsistent
};

/// The effective claim: RANK and WORLD_SIZE; otherwise the first of mpirun, PMI and Slurm that launched several
/// processes; otherwise one that launched this process alone. nullopt if there is none. Throws Refusal if variables are
/// missing, contradictory or no numbers.
std::optional<RankClaim> effective_claim(const Environment& environment);

/// The step of this process, if any. If `strictly`, throws Refusal if its variables are missing or no numbers.
std::optional<SlurmStep> slurm_step(const Environment& environment, bool strictly);

/// True if the launcher reports processes on other hosts.
bool on_several_hosts(const Environment& environment, const RankClaim& claim);

/// A note that lists the launchers of several processes that contradict the effective claim.
std::optional<std::string> note_launchers(const Environment& environment);

}  // namespace weft::ranks
