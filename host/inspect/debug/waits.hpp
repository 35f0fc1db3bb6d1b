/// Derives the positions of threads, and what they wait for, from the snapshot of a hang.
#pragma once

#include "host/inspect/debug/target.hpp"

namespace weft::inspect::debug {

ThreadPlace thread_place(const machine::HangSnapshot& s, sim::TilePlace tile, bool psum);

}  // namespace weft::inspect::debug
