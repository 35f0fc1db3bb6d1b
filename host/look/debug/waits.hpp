/// Where threads are and what they wait for, as a standstill tells it.
#pragma once

#include "host/look/debug/target.hpp"

namespace weft::debug {

ThreadPlace thread_place(const Standstill& s, TilePlace tile, bool psum);

}  // namespace weft::debug
