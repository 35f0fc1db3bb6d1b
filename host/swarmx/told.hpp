/// An exception as others are told of it.
#pragma once

#include <string>

#include "host/swarmx/frame.hpp"

namespace weft {

/// In a handler: throws what was caught again, with "place: " before its text if its type has room for that. Types that
/// are not known here, like std::bad_alloc, go on as they are.
[[noreturn]] void rethrow_from(const std::string& place);

/// In a handler: the Error frame of what was caught, whatever it is. `sender` is named if the text does not.
Frame error_frame_of_caught(const std::string& sender);

/// The Error frame of a process of which a thread stands still: another in its place would not.
Frame standstill_frame(const std::string& text);
/// Whether an Error frame is one.
bool stands_still(const Frame& error);

}  // namespace weft
