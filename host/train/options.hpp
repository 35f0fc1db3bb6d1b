/// Translates the configuration into options of MemoryX and SwarmX.
#pragma once

#include <memory>

#include "host/config/config.hpp"
#include "host/memoryx/memoryx.hpp"
#include "host/swarmx/root/swarm.hpp"

namespace weft {

struct Joining;

/// The optimizer, its learning rate and the seed of the initial parameters.
MemoryXOptions memoryx_options(const Config& config);

/// memoryx.dram_gib in bytes.
std::uint64_t dram_bytes(const Config& config);
/// Creates the store that memoryx.dram_gib and flash_dir request for a training run; null: in DRAM. Throws Refusal.
std::unique_ptr<ParameterStore> make_store(const Config& config, const Plan& plan);

/// The options of the tree. `joining`: connection to the other ranks; null: this process is the whole run.
SwarmOptions swarm_options(const Config& config, MakeWafer make_wafer, GetBatch get, const Joining* joining = nullptr);

}  // namespace weft
