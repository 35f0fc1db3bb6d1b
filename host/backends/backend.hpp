/// Creates the wafers of a run.
#pragma once

#include <iosfwd>
#include <memory>

#include "host/board/wafer/link_traffic.hpp"
#include "host/config/config.hpp"
#include "verif/wafer.hpp"

namespace weft::backends {

/// Number of threads for one wafer of the functional model: wafer.threads, at most one per column; if it is 0, the
/// number of cores divided by the number of wafers, but at most one per whole vector of lanes. The result of a run does
/// not depend on it.
int model_threads(const config::Config& config);
/// Number of threads for one wafer of the RTL: wafer.threads, at most one per row; if it is 0, the number of cores
/// divided by the number of wafers, but at most one per 32 tiles. Neither bits nor cycles depend on it.
int rtl_threads(const config::Config& config);

/// Creates wafer `id` with its configured backend, together with a second wafer if wafer.check requests it. Traffic on
/// the line of a board is added to `traffic`, if given. Throws Refusal, and BoardLost if a board does not respond.
std::unique_ptr<Wafer> make_wafer(const config::Config& config, int id = 0,
                                  std::shared_ptr<board::LinkTraffic> traffic = {});

/// Queries each board's properties before anything is compiled, and prints them to `out`. A mesh that is `auto` becomes
/// that of the board; throws Refusal if a board does not fit the configuration. The boards are released afterwards.
void meet_boards(config::Config& config, std::ostream& out);

}  // namespace weft::backends
