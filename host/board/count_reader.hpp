/// Reads where the cycles of a board's tiles went, through its debug chain (docs/debug_chain.md, Counts).
#pragma once

#include <vector>

#include "host/board/session.hpp"
#include "sw/machine/shape.hpp"
#include "verif/sim/tally.hpp"

namespace weft::board {

/// The record of each tile's last MARK, [row * cols + col]; begin and end are 0, for nobody says when it was. The wafer
/// may run, but takes no MARK meanwhile. Throws Refusal if the board does not count, BoardLost.
std::vector<TallyRecord> read_counts(Session& session, const WaferShape& shape);

}  // namespace weft::board
