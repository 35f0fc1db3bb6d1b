/// Ctrl-C: the first asks for the end, the second is the end.
#pragma once

namespace weft {

inline constexpr int kInterruptedExit = 130;  ///< the program's exit code then

/// From now on SIGINT and SIGTERM make `interrupted` true; another one ends the program at once with 130 and leaves no
/// unfinished file. A write beyond a limit on files' sizes becomes an error of the write.
void catch_interrupts();

bool interrupted();

}  // namespace weft
