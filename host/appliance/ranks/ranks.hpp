/// Which part of a run this process is: its environment says it, as for other programs that many hosts run at once.
///
/// RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT, or what srun sets. Rank 0 is the root: MemoryX and all files. The
/// others are wafers; of one rank more than that takes, rank 1 reads the data (joining.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace weft {

struct Ranks {
  int rank = 0;
  int world = 1;                      ///< processes
  std::string address = "127.0.0.1";  ///< of rank 0, a name or a number; the loopback, if nobody says another
  std::uint16_t port = 0;
  std::string job = {};           ///< of Slurm, "JOB.STEP"; empty: there is none
  std::string munge_socket = {};  ///< MUNGE_SOCKET: where its daemon is; empty: where it always is

  bool root() const { return rank == 0; }
  bool slurm() const { return !job.empty(); }
};

/// A variable's value; null: it is not set.
using Environment = std::function<const char*(const char* name)>;

/// Nothing: this process is the whole run. Throws Refusal that names the variable if one is missing or impossible.
std::optional<Ranks> ranks_of(const Environment& environment);

}  // namespace weft
