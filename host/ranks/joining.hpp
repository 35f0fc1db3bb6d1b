/// Defines how the processes of a run find and recognize each other.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/config/config.hpp"
#include "host/ranks/ranks.hpp"
#include "host/swarmx/auth/credentials.hpp"

namespace weft::ranks {

struct Joining {
  std::string address = {};                ///< address of the root; on the root, numeric
  std::vector<std::uint16_t> ports = {0};  ///< the root listens on the first free one
  std::string job = {};                    ///< identifies the run
  std::string build = {};                  ///< build of the program (version.hpp)
  std::uint64_t digest = 0;                ///< settings_digest
  std::shared_ptr<const swarmx::Credentials> credentials = {};
  bool data = false;  ///< rank 1 reads the data
  int memory = 0;     ///< number of ranks, following rank 1, that hold a part of MemoryX's tensors
  int nodes = 0;      ///< number of ranks after these that are nodes of the tree

  std::vector<std::uint16_t> other_ports() const { return {ports.begin() + 1, ports.end()}; }
  bool is_data_rank(const Ranks& ranks) const { return data && ranks.rank == 1; }
  /// Index of this rank among those of MemoryX, if it is one.
  int memory_index(const Ranks& ranks) const { return ranks.rank - 1 - (data ? 1 : 0); }
  bool is_memory_rank(const Ranks& ranks) const { return memory_index(ranks) >= 0 && memory_index(ranks) < memory; }
  /// Index of this rank among the nodes, if it is one.
  int node_index(const Ranks& ranks) const { return memory_index(ranks) - memory; }
  bool is_node_rank(const Ranks& ranks) const { return node_index(ranks) >= 0 && node_index(ranks) < nodes; }
  /// Index of this rank among the wafers, if it is one.
  int wafer_index(const Ranks& ranks) const { return node_index(ranks) - nodes; }
  bool is_wafer_rank(const Ranks& ranks) const {
    return !ranks.root() && !is_data_rank(ranks) && !is_memory_rank(ranks) && !is_node_rank(ranks);
  }
};

/// Adapts the configuration to a run of several ranks: besides the root, there are memoryx.ranks ranks with its tensors
/// and swarmx.nodes nodes. The others are wafers; if num_csx is set and one less, one of them reads the data. Returns
/// how the ranks connect. Throws Refusal if the mode needs a single process, if there are too few ranks for the wafers
/// or nodes, if MemoryX cannot be distributed, or if the key is missing. `build`: of this program.
std::shared_ptr<const Joining> join_ranks(config::Config& config, const Ranks& ranks, std::string build = {});

/// For a run of a single process: a note that memoryx.ranks and swarmx.nodes have no effect. nullopt if they are not
/// set or the mode does not use them. `ranked`: RANK is set, so this is the only rank of a run; in that case throws
/// Refusal instead of returning a note.
std::optional<std::string> note_single_process(const config::Config& config, bool ranked);

/// Rejects the other ranks as they connect, for a root that ends before the run begins. Waits a few seconds at most.
void reject_ranks(const config::Config& config, const Joining& joining);

}  // namespace weft::ranks
