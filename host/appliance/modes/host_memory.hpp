/// Whether this machine's memory can hold what is simulated.
#pragma once

#include "host/config/config.hpp"

namespace weft {

/// Throws Refusal, of a key, if the SRAM of the `simulated` wafers' tiles, or what MemoryX has of a model that is
/// trained (with memoryx.dram_gib so much of it), is more than the memory this process may have: it would be killed.
/// What is less may still be too much.
void check_host_memory(const Config& config, int simulated);

}  // namespace weft
