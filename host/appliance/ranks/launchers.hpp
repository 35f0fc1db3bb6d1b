/// Sources of a process's rank and of the number of ranks: the user, or the program that launched the process.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "host/appliance/ranks/environment.hpp"

namespace weft {

/// A rank of so many, and the variables that say so.
struct RankClaim {
  const char* rank_name = "";
  const char* world_name = "";
  int rank = 0, world = 1;

  bool same_as(const RankClaim& other) const { return rank == other.rank && world == other.world; }
};

/// A Slurm step that this process is in.
struct SlurmStep {
  std::int64_t job = 0, id = 0;
  std::optional<RankClaim> claim = {};  ///< empty: Slurm's numbers make no sense
};

/// The claim that rules: RANK and WORLD_SIZE, or else the first of mpirun, PMI and Slurm that launched several
/// processes, or else one that launched this process alone. Empty if there is none. Throws Refusal if variables are
/// missing, contradict each other or are no numbers.
std::optional<RankClaim> ruling_claim(const Environment& environment);

/// The step of this process, if any. Throws Refusal if `strictly` and its variables are missing or no numbers.
std::optional<SlurmStep> slurm_step(const Environment& environment, bool strictly);

/// True if the launcher reports processes on other hosts.
bool on_several_hosts(const Environment& environment, const RankClaim& claim);

/// A line that names launchers of several processes that say something else than the claim that rules.
std::optional<std::string> note_launchers(const Environment& environment);

}  // namespace weft
