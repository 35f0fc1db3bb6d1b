/// Snapshot of a board's wafer, read through its debug chain (docs/reference/debug_chain.md).
#pragma once

#include <memory>

#include "host/board/debug/stream_record.hpp"
#include "host/board/link/session.hpp"

namespace weft::board {

/// True if a thread or sequencer of some tile is not at rest. Does not affect the wafer. The board must have a debug
/// chain. Throws BoardLost.
bool some_thread_waits(Session& session, const machine::WaferShape& shape);

/// Halts all tiles and reads them. Then aborts what the threads execute, and reads registers and memories, too. The
/// wafer must be reset before further use. The caller fills in the host's part (place, why, awaited words). Throws
/// BoardLost.
std::shared_ptr<machine::HangSnapshot> read_hang_snapshot(Session& session, const machine::WaferShape& shape,
                                                          const StreamRecord& record, bool memories);

}  // namespace weft::board
