/// Leaves: a rank of MemoryX is asked to end, and tells the root before it does.
#pragma once

#include <string>
#include <string_view>

#include "host/swarmx/frame.hpp"

namespace weft {

/// `why`: what asks it, as "SIGTERM"; what is no printable ASCII in it, or beyond 64 characters, is left out.
Frame leaves_frame(std::string_view why);
/// Why. Throws CorruptFrame naming `sender` if it is no such frame.
std::string why_leaves(const Frame& frame, const std::string& sender);

}  // namespace weft
