/// Connections from a run to the program that runs it.
#pragma once

#include <functional>
#include <string>

namespace weft {
inline namespace v0 {

/// Receives a line that `weft` would print, without the newline, in the thread that called the library. Must not throw.
using Log = std::function<void(const std::string& line)>;

/// Called in the caller's thread from time to time during work that can be ended early; true ends the work.
using Interrupted = std::function<bool()>;

}  // namespace v0
}  // namespace weft
