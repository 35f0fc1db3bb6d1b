#include "host/programs/layout.hpp"

#include <fmt/format.h>

namespace weft::programs {

std::string name_of(Tile tile) { return fmt::format("tile ({},{})", tile.row, tile.col); }

std::string name_of(const Region& r) {
  return fmt::format("rows {} to {}, columns {} to {}", r.row, r.row + r.rows - 1, r.col, r.col + r.cols - 1);
}

}  // namespace weft::programs
