/// Parsers of tiles and cycles in user input.
#pragma once

#include <string>
#include <vector>

#include "sw/machine/shape.hpp"
#include "verif/sim/tile_view.hpp"
#include "verif/trace/trace.hpp"

namespace weft::trace {

/// Parses "2,1": row 2, column 1; "0-3,1"; "0-1,0-1"; "all". Returns tiles row by row. Throws Refusal of `--tile`.
std::vector<sim::TilePlace> parse_tiles(const std::string& text, const machine::WaferShape& shape);
/// Parses a single tile, for options that allow only one.
sim::TilePlace one_tile(const std::string& text, const machine::WaferShape& shape);

/// Parses "100-400": cycles 100 to 399; "100-": from 100 on; "400": the first 400. Throws Refusal of `--cycles`.
CycleWindow parse_cycles(const std::string& text);

}  // namespace weft::trace
