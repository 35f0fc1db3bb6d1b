/// When a rank that is not the root leaves a run, and how it ends.
#pragma once

#include <functional>
#include <iosfwd>

namespace weft {

/// From now on a signal asks this rank, which is not the root, to end.
void catch_interrupts_of_rank();

/// Says, whenever it is asked, whether to leave: some seconds after a signal. Schedulers send the same to all ranks,
/// and the root, too, ends, with a checkpoint, and says so.
std::function<bool()> leave_after_grace();

/// The same of a rank that the run cannot go on without (MemoryX): it tells the root, if there is one by then.
void catch_interrupts_of_part();

/// Says that the run is over, or that this rank leaves it. What the process returns: 0, or kInterruptedExit after a
/// signal.
int end_of_rank(std::ostream& out);
/// The same of one of MemoryX.
int end_of_part(std::ostream& out);

}  // namespace weft
