/// When a rank that is not the root leaves a run.
#pragma once

#include <functional>

namespace weft {

/// Says, whenever it is asked, whether to leave: some seconds after a signal. Schedulers send the same to all ranks,
/// and the root, too, ends, with a checkpoint, and says so.
std::function<bool()> leave_after_grace();

}  // namespace weft
