/// Ctrl-C: while a run trains, the first asks for the end and the second is the end. Else the first is.
#pragma once

namespace weft {

inline constexpr int kInterruptedExit = 130;  ///< the program's exit code then

/// From now on SIGINT and SIGTERM end the program at once with 130, a line, and no unfinished file or new empty folder.
/// A write beyond a limit on files' sizes becomes an error of the write.
void end_at_interrupts();

/// From now on the first of them makes `interrupted` true; another one ends the program at once. A standard output that
/// nobody reads any more makes it true, too.
void catch_interrupts();

bool interrupted();

}  // namespace weft
