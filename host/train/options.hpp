/// Translates the configuration into options of MemoryX and SwarmX.
#pragma once

#include <memory>

#include "host/config/config.hpp"
#include "host/memoryx/memoryx.hpp"
#include "host/ranks/joining.hpp"
#include "host/swarmx/root/swarm.hpp"

namespace weft::train {

/// The optimizer, its learning rate and the seed of the initial parameters.
memoryx::MemoryXOptions memoryx_options(const config::Config& config);

/// memoryx.dram_gib in bytes.
std::uint64_t dram_bytes(const config::Config& config);
/// Creates the store that memoryx.dram_gib and flash_dir request for a training run; null: in DRAM. Throws Refusal.
std::unique_ptr<memoryx::ParameterStore> make_store(const config::Config& config, const compiler::Plan& plan);

/// The options of the tree. `joining`: connection to the other ranks; null: this process is the whole run.
swarmx::SwarmOptions swarm_options(const config::Config& config, swarmx::MakeWafer make_wafer, swarmx::GetBatch get,
                                   const ranks::Joining* joining = nullptr);

}  // namespace weft::train
