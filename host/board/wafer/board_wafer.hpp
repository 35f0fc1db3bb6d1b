/// Implements Wafer for a board.
#pragma once

#include <functional>
#include <memory>

#include "host/board/link/line.hpp"
#include "host/board/wafer/link_traffic.hpp"
#include "verif/sim/stall_record.hpp"
#include "verif/wafer.hpp"

namespace weft::board {

/// Wafer for the board at the end of `line`, which must fit `shape`. Throws BoardLost, and Refusal if the board does
/// not fit (shape_check.hpp). Traffic on the line is added to `traffic`, if there is one.
///
/// The board's cycles continue while the host is busy. `flags` and `counters` query the board. Beats and multiply-adds
/// are not counted, and memory and state are not available (std::logic_error). If the board has a debug chain,
/// WaferHang carries the HangSnapshot, with memories if `core_memories` is set; without a chain, `settle` cannot
/// detect a thread that waits inside a kernel while nothing moves. `line_with` keeps alive what the line depends on,
/// such as a process, until the wafer is destroyed.
std::unique_ptr<Wafer> make_board_wafer(std::unique_ptr<Line> line, const machine::WaferShape& shape,
                                        std::shared_ptr<LinkTraffic> traffic = {}, std::shared_ptr<void> line_with = {},
                                        bool core_memories = true);

/// Cycle counts of each tile of a board, [row * cols + col]: the last record (count_reader.hpp). `wafer` must come from
/// make_board_wafer.
std::vector<sim::StallRecord> read_counts(Wafer& wafer);

}  // namespace weft::board
