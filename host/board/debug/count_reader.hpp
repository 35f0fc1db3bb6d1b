/// Reads the cycle counts of a board's tiles through its debug chain (docs/reference/debug_chain.md, Counts).
#pragma once

#include <vector>

#include "host/board/link/session.hpp"
#include "sw/machine/shape.hpp"
#include "verif/sim/stall_record.hpp"

namespace weft::board {

/// Record of each tile's last MARK, [row * cols + col]; begin and end are 0, because the board has no time stamps. The
/// wafer may run but must not take a MARK meanwhile. Throws Refusal if the board does not count, and BoardLost.
std::vector<sim::StallRecord> read_counts(Session& session, const machine::WaferShape& shape);

}  // namespace weft::board
