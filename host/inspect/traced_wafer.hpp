/// Wraps the wafer of a run and traces one of its phases: `weft run ... --trace.phase NAME`.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/config/command_line/options.hpp"
#include "host/config/config.hpp"
#include "host/planning/saved_plan.hpp"
#include "sw/asm/assembler.hpp"
#include "verif/sim/clocked_wafer.hpp"

namespace weft::inspect {

/// Selects what to trace.
struct TraceRequest {
  std::uint64_t step = 1;  ///< counts from 1
  std::string phase;
  std::vector<sim::TilePlace> tiles;
  int wafer = 0;
  std::filesystem::path file;  ///< .fst; the view and its text files are written next to it
};

/// Parses the options trace.step, .phase, .tiles, .wafer and .out; nullopt if no phase is given. Throws Refusal, also
/// if the configuration has no RTL or no such phase. `loaded`: the plan, if it is not compiled (compile_plan.hpp).
std::optional<TraceRequest> trace_request(const config::Config& config, const config::Options& options,
                                          const planning::LoadedPlan* loaded);

/// Traces `wafer` from the first message of the phase until the phase after the next begins, because tiles are skewed
/// and the stream does not pause. Tracing does not change the wafer's cycles. `program` is called when the trace
/// begins.
std::unique_ptr<Wafer> traced(std::unique_ptr<sim::ClockedWafer> wafer, TraceRequest request,
                              std::function<assembler::Program()> program);

}  // namespace weft::inspect
