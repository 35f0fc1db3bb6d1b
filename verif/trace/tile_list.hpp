/// Tiles and cycles as a user names them.
#pragma once

#include <string>
#include <vector>

#include "sw/machine/shape.hpp"
#include "verif/sim/tile_view.hpp"
#include "verif/trace/trace.hpp"

namespace weft {

/// "2,1": row 2, column 1; "0-3,1"; "0-1,0-1"; "all". Row by row. Throws Refusal of `--tile`.
std::vector<TilePlace> parse_tiles(const std::string& text, const WaferShape& shape);
/// Of a place for one tile only.
TilePlace one_tile(const std::string& text, const WaferShape& shape);

/// "100-400": cycles 100 to 399; "100-": from 100 on; "400": the first 400. Throws Refusal of `--cycles`.
CycleWindow parse_cycles(const std::string& text);

}  // namespace weft
