/// Ports for a Slurm step.
#pragma once

#include <cstdint>
#include <vector>

namespace weft::ranks {

/// Candidate ports for the root of this step, all below 32768, where Linux's ephemeral ports begin by default. The root
/// listens on the first free one; the other ranks try all of them. Ports in this host's own ephemeral range
/// (ip_local_port_range) come last.
std::vector<std::uint16_t> step_ports(std::int64_t job, std::int64_t step);

}  // namespace weft::ranks
