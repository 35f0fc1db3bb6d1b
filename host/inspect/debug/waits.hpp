/// Derives the positions of threads, and what they wait for, from the snapshot of a hang.
#pragma once

#include "host/inspect/debug/target.hpp"

namespace weft::debug {

ThreadPlace thread_place(const HangSnapshot& s, TilePlace tile, bool psum);

}  // namespace weft::debug
