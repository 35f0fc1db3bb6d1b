/// A board's wafer as it stands, read through its debug chain (docs/debug_chain.md).
#pragma once

#include <memory>

#include "host/board/session.hpp"
#include "host/board/stream_record.hpp"

namespace weft::board {

/// Whether some thread or sequencer of a tile does not rest. Changes nothing; the board must have a chain. Throws
/// BoardLost.
bool some_thread_waits(Session& session, const WaferShape& shape);

/// Halts all tiles and reads them; what threads have is given up after that, and registers and memories are read, too.
/// The wafer has to be reset before it is used again. The host's part (place, why, awaited words) is left to the
/// caller. Throws BoardLost.
std::shared_ptr<Standstill> read_standing(Session& session, const WaferShape& shape, const StreamRecord& record,
                                          bool memories);

}  // namespace weft::board
