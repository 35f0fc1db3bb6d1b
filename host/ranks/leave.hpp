/// Termination of ranks other than the root.
#pragma once

#include <functional>
#include <iosfwd>

namespace weft::ranks {

/// Makes a signal request the end of this rank, which is not the root.
void catch_interrupts_of_rank();

/// Returns a function that is true when the rank should leave: some seconds after a signal. The delay allows the root
/// to end the run with a checkpoint, since schedulers send the signal to all ranks.
std::function<bool()> leave_after_grace();

/// Like catch_interrupts_of_rank, for a rank of MemoryX, without which the run cannot continue: notifies the root, if
/// connected.
void catch_interrupts_of_memory_rank();

/// Logs that the run is over or that this rank leaves. Returns the exit code of the process: 0, or kInterruptedExit
/// after a signal.
int log_rank_end(std::ostream& out);
/// Like log_rank_end, for a rank of MemoryX.
int log_memory_rank_end(std::ostream& out);

}  // namespace weft::ranks
