/// The wafers that a run is made of.
#pragma once

#include <iosfwd>
#include <memory>

#include "host/board/tally.hpp"
#include "host/config/config.hpp"
#include "verif/wafer.hpp"

namespace weft {

/// Threads of one wafer of the functional model: wafer.threads, at most one a column, or, if it is 0, the cores over
/// the wafers, and at most as many as have a whole vector of lanes each to do. The result does not depend on it.
int model_threads(const Config& config);
/// Threads of one wafer of the RTL: wafer.threads, at most one a row, or, if it is 0, the cores over the wafers, and at
/// most one for 32 tiles. Neither bits nor cycles depend on it.
int rtl_threads(const Config& config);

/// Wafer `id`, of the backend that is its turn, with a second one beside it if wafer.check says so. What goes over the
/// line of a board is added to `tally`, if there is one. Throws Refusal, and BoardLost if a board does not answer.
std::unique_ptr<Wafer> make_wafer(const Config& config, int id = 0, std::shared_ptr<board::Tally> tally = {});

/// Asks each board what it is, before anything is compiled, and prints that to `out`. A mesh that is `auto` becomes the
/// board's; a board that the configuration does not fit is refused. Boards are free again then.
void meet_boards(Config& config, std::ostream& out);

}  // namespace weft
