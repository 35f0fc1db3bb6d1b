/// Checks that the simulation fits in this machine's memory.
#pragma once

#include "host/config/config.hpp"

namespace weft::cli {

/// Throws Refusal, of a key, if the memory available to this process is too small for the SRAM of the `simulated`
/// wafers, or for MemoryX when training (up to memoryx.dram_gib); the process would be killed. `memory_ranks`: ranks
/// that share MemoryX; 0: this process holds it. Passing the check is no
/// guarantee.
void check_host_memory(const config::Config& config, int simulated, int memory_ranks);

}  // namespace weft::cli
