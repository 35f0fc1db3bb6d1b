/// Exceptions as reported to other members, and with the place where they happened.
#pragma once

#include <string>

#include "host/swarmx/protocol/frame.hpp"

namespace weft::swarmx {

/// In a handler: rethrows the exception with "place: " before its text, if its type allows that. Types that are not
/// known here, such as std::bad_alloc, are rethrown unchanged.
[[noreturn]] void rethrow_from(const std::string& place);

/// In a handler: returns the Error frame of the exception, whatever its type. `sender` precedes the text unless that
/// begins with it.
Frame error_frame_of_caught(const std::string& sender);

/// Returns the Error frame of a process with a hung thread: another process in its place would not hang.
Frame hang_frame(const std::string& text);
/// True for an Error frame that was made by hang_frame.
bool is_hang(const Frame& error);

}  // namespace weft::swarmx
