/// The part of a run that this process has, found in the environment as for other programs on many hosts.
///
/// RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT rule; those that are missing follow from the variables of srun, mpirun
/// or another launcher (launchers.hpp). Rank 0 is the root: MemoryX and all files. The others are wafers; if there is
/// one rank more than that, rank 1 reads the data (joining.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/appliance/ranks/environment.hpp"

namespace weft {

struct Ranks {
  int rank = 0;
  int world = 1;                          ///< processes
  std::string address = "127.0.0.1";      ///< of rank 0, a name or a number; the loopback, if nobody says another
  std::vector<std::uint16_t> ports = {};  ///< the root listens at the first of them that is free
  std::string job = {};                   ///< "JOB.STEP", if the run is a whole step of Slurm; else empty
  bool in_step = false;                   ///< of Slurm: then MUNGE tells who is one of the run, where there is no key
  std::string munge_socket = {};          ///< MUNGE_SOCKET: where its daemon is; empty: where it always is

  bool root() const { return rank == 0; }
};

/// Nothing: this process is the whole run. Throws Refusal that names the variable if one is missing or impossible.
std::optional<Ranks> ranks_of(const Environment& environment);

}  // namespace weft
