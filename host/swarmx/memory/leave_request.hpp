/// Leave request: a rank of MemoryX that was asked to end tells the root before it does.
#pragma once

#include <string>
#include <string_view>

#include "host/swarmx/protocol/frame.hpp"

namespace weft::swarmx {

/// `why`: the source of the request, such as "SIGTERM"; characters that are not printable ASCII, or beyond the first
/// 64, are dropped.
Frame leave_request_frame(std::string_view why);
/// Returns the source. Throws CorruptFrame naming `sender` if the frame is malformed.
std::string decode_leave_request(const Frame& frame, const std::string& sender);

}  // namespace weft::swarmx
