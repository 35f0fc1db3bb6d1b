/// Exports a profile as a trace in Chrome's JSON trace event format, which ui.perfetto.dev opens: phases and threads of
/// every tile, streams of every valve and outlet, MemoryX and SwarmX, on one time axis.
#pragma once

#include <string>
#include <string_view>

#include "host/inspect/profile/profile.hpp"

namespace weft::inspect::profile {

/// Duration of a wafer cycle in a trace: 50 MHz, about the clock of an FPGA.
inline constexpr std::uint64_t kNanosecondsPerCycle = 20;

/// First bytes of every trace.
inline constexpr std::string_view kPerfettoBegin = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n";
/// Bytes of a trace of versions before the JSON format, and their offset: the name of the first track in a protobuf.
inline constexpr std::string_view kOldPerfettoName = "MemoryX";
inline constexpr std::size_t kOldPerfettoOffset = 11;

/// Returns the text of the trace.
///
/// Processes and their tracks: each tile is a process. Its track `phases` has a slice per phase, as long as the tile's
/// record says. Below it, each thread has a track that shows the phase's stall reasons one after the other, the longest
/// first; slices give durations, not times. `streams` has a track per valve and outlet: a slice lasts from the phase's
/// first message to its last. `MemoryX` and `SwarmX` show how long the host took on this machine, placed where the
/// wafer needs or has delivered the data; work on a busy track begins later. The time axis is the wafer's clock; host
/// work is shifted against it by no more than its own duration.
std::string to_perfetto(const Profile& profile);

}  // namespace weft::inspect::profile
