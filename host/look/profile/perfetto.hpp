/// A profile as a trace for ui.perfetto.dev: phases and threads of every tile, streams of every valve and outlet,
/// MemoryX and SwarmX, on one time axis.
#pragma once

#include <string>

#include "host/look/profile/profile.hpp"

namespace weft::profile {

/// A cycle of the wafer takes so many nanoseconds in a trace: 50 MHz, about what an FPGA does.
inline constexpr std::uint64_t kNanosecondsPerCycle = 20;

/// The byte of a trace where its first track's name, "MemoryX", begins.
inline constexpr std::size_t kPerfettoFirstName = 11;

/// The trace's bytes.
///
/// Tracks: `wafer` with one for each tile, where a slice is a phase of as many cycles as the tile's record says; below
/// it one for each thread, where the phase's causes follow one another, the longest first: how long, not when.
/// `streams` with one for each valve and outlet: from the phase's first message to its last. `MemoryX` and `SwarmX`:
/// how long the host took on this machine, placed where the wafer needs it or has delivered; who is busy begins later.
/// The largest track of time is the wafer's clock; the host's work is moved against it by no more than it took.
std::string to_perfetto(const Profile& profile);

}  // namespace weft::profile
