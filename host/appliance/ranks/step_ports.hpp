/// Ports of a Slurm step.
#pragma once

#include <cstdint>
#include <vector>

namespace weft {

/// Ports for the root of this step, all below 32768, where Linux' own clients' ports begin. The root takes the first
/// that is free; the other ranks try all of them. Ports that this host gives to clients (ip_local_port_range) come
/// last.
std::vector<std::uint16_t> step_ports(std::int64_t job, std::int64_t step);

}  // namespace weft
