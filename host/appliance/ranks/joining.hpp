/// How the processes of a run find and know each other.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/appliance/ranks/ranks.hpp"
#include "host/config/config.hpp"
#include "host/swarmx/auth/credentials.hpp"

namespace weft {

struct Joining {
  std::string address = {};                ///< of the root; there a number
  std::vector<std::uint16_t> ports = {0};  ///< the root listens at the first of them that is free
  std::string job = {};                    ///< which run
  std::string build = {};                  ///< of which program (version.hpp)
  std::uint64_t digest = 0;                ///< settings_digest
  std::shared_ptr<const Credentials> credentials = {};
  bool data = false;  ///< rank 1 reads the data
  int memory = 0;     ///< so many ranks, the next, are MemoryX, each with its own tensors
  int nodes = 0;      ///< so many ranks, the next, are nodes of the tree

  std::vector<std::uint16_t> other_ports() const { return {ports.begin() + 1, ports.end()}; }
  bool is_data(const Ranks& ranks) const { return data && ranks.rank == 1; }
  /// Which rank of MemoryX this is, if it is one.
  int part(const Ranks& ranks) const { return ranks.rank - 1 - (data ? 1 : 0); }
  bool is_part(const Ranks& ranks) const { return part(ranks) >= 0 && part(ranks) < memory; }
  /// The node that this rank is, if it is one.
  int node(const Ranks& ranks) const { return part(ranks) - memory; }
  bool is_node(const Ranks& ranks) const { return node(ranks) >= 0 && node(ranks) < nodes; }
  /// The wafer that this rank is, if it is one.
  int wafer(const Ranks& ranks) const { return node(ranks) - nodes; }
  bool is_wafer(const Ranks& ranks) const {
    return !ranks.root() && !is_data(ranks) && !is_part(ranks) && !is_node(ranks);
  }
};

/// Makes the configuration that of a run of so many ranks: beside the root there are memoryx.ranks that have its
/// tensors and swarmx.nodes nodes, and the others are wafers, or, if num_csx is set and one less, one reads the data.
/// Returns how they meet. Throws Refusal: a mode that is one process, wafers or nodes that the ranks do not have, what
/// MemoryX cannot do on ranks of its own, no key. `build`: of this program.
std::shared_ptr<const Joining> join_ranks(Config& config, const Ranks& ranks, std::string build = {});

/// Of a process that is the whole run: a line of what it does of what memoryx.ranks and swarmx.nodes ask of other
/// processes; none, if they ask for nothing or the mode asks nobody. `ranked`: it was started as the one rank there is
/// (RANK is set). Throws Refusal if it was, and they ask for more.
std::optional<std::string> note_alone(const Config& config, bool ranked);

/// Tells the others, as they come, that there is nothing to do: for a root that ends before it begins. Waits some
/// seconds for them at most.
void dismiss_ranks(const Config& config);

}  // namespace weft
