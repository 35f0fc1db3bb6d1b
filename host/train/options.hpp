/// What a configuration says to MemoryX and to SwarmX, in their terms.
#pragma once

#include <memory>

#include "host/config/config.hpp"
#include "host/memoryx/memoryx.hpp"
#include "host/swarmx/swarm.hpp"

namespace weft {

/// The optimizer, its learning rate and the initial parameters' seed, in MemoryX's terms.
MemoryXOptions memoryx_options(const Config& config);

/// memoryx.dram_gib.
std::uint64_t dram_bytes(const Config& config);
/// Where memoryx.dram_gib and flash_dir want the parameters of a training run; null: in DRAM. Throws Refusal.
std::unique_ptr<ParameterStore> make_store(const Config& config, const Plan& plan);

/// The tree, in SwarmX's terms.
SwarmOptions swarm_options(const Config& config, MakeWafer make_wafer, GetBatch get);

}  // namespace weft
