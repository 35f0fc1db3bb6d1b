/// A run's wafer of which one phase is traced: `weft run ... --trace.phase NAME`.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/config/config.hpp"
#include "host/config/options.hpp"
#include "sw/asm/assembler.hpp"
#include "verif/sim/clocked_wafer.hpp"

namespace weft {

/// What is to be traced of a run.
struct TraceRequest {
  std::uint64_t step = 1;  ///< the first one is 1
  std::string phase;
  std::vector<TilePlace> tiles;
  int wafer = 0;
  std::filesystem::path file;  ///< .fst; the view and its words go beside it
};

/// Of the options trace.step, .phase, .tiles, .wafer and .out; nothing if there is no phase. Throws Refusal, also if
/// the configuration has no RTL, or no such phase.
std::optional<TraceRequest> trace_request(const Config& config, const Options& options);

/// `wafer`, traced from the first message of the phase until the phase after the next begins: tiles are skewed, and the
/// stream does not rest. Its cycles stay what they are. `program` is asked when the trace begins.
std::unique_ptr<Wafer> traced(std::unique_ptr<ClockedWafer> wafer, TraceRequest request,
                              std::function<Program()> program);

}  // namespace weft
