/// Determines this process's role in a run from the environment, with the variables that are usual for distributed
/// programs.
///
/// RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT take precedence; missing ones are derived from the variables of srun,
/// mpirun or another launcher (launchers.hpp). Rank 0 is the root: MemoryX and all files. The others, in this order: a
/// data rank, if there is one rank more than the others need; MemoryX ranks (memoryx.ranks); nodes (swarmx.nodes);
/// wafers (joining.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/ranks/environment.hpp"

namespace weft::ranks {

struct Ranks {
  int rank = 0;
  int world = 1;                          ///< number of processes
  std::string address = "127.0.0.1";      ///< name or numeric address of rank 0; default: loopback
  std::vector<std::uint16_t> ports = {};  ///< the root listens on the first free one
  std::string job = {};                   ///< "JOB.STEP" if the run is a whole Slurm step; else empty
  bool in_step = false;                   ///< within a Slurm step: MUNGE authenticates members if there is no key
  std::string munge_socket = {};          ///< MUNGE_SOCKET, the socket of its daemon; empty: the default

  bool root() const { return rank == 0; }
};

/// Returns nullopt if this process is the whole run. Throws Refusal that names the variable if one is missing or
/// invalid.
std::optional<Ranks> read_ranks(const Environment& environment);

}  // namespace weft::ranks
