/// A board as a Wafer.
#pragma once

#include <functional>
#include <memory>

#include "host/board/line.hpp"
#include "host/board/tally.hpp"
#include "verif/sim/tally.hpp"
#include "verif/wafer.hpp"

namespace weft::board {

/// The board at the end of `line`, which must fit `shape`. Throws BoardLost, Refusal if it is another board (fits.hpp).
/// What goes over the line is added to `tally`, if there is one.
///
/// Cycles go on while the host thinks. `flags` and `counters` ask the board. Beats and multiply-adds are not counted,
/// memory and state are not shown (std::logic_error). Of a board with a debug chain a WaferStuck has the Standstill,
/// with memories if `core_memories` says so; without one, `settle` cannot see a thread that waits inside a kernel while
/// nothing moves. `line_with` is what the line needs to live, a process perhaps; it ends with the wafer.
std::unique_ptr<Wafer> make_board_wafer(std::unique_ptr<Line> line, const WaferShape& shape,
                                        std::shared_ptr<Tally> tally = {}, std::shared_ptr<void> line_with = {},
                                        bool core_memories = true);

/// Where the cycles of each tile of a board went, [row * cols + col]: its last record (count_reader.hpp). `wafer` is
/// one of make_board_wafer.
std::vector<TallyRecord> read_counts(Wafer& wafer);

}  // namespace weft::board
