#include "verif/sim/tile_grid.hpp"

namespace weft::sim {
namespace {

/// The built widths; they are powers of two, so their sum is a set.
constexpr int kBuilt = WEFT_LANES_SUM, kGeneralBuilt = WEFT_GENERAL_LANES_SUM;

template <int Lanes>
std::unique_ptr<TileGrid> if_built(VerilatedContext& context, const machine::WaferShape& shape, int threads) {
  if (shape.lanes != Lanes) return nullptr;
  if constexpr ((kBuilt & Lanes) != 0)
    if (!shape.general) return make_tiles<Lanes, false>(context, shape, threads);
  if constexpr ((kGeneralBuilt & Lanes) != 0)
    if (shape.general) return make_tiles<Lanes, true>(context, shape, threads);
  return nullptr;
}

}  // namespace

std::unique_ptr<TileGrid> make_tile_grid(VerilatedContext& context, const machine::WaferShape& shape, int threads) {
  if (shape.sram_kib < 1 || shape.sram_kib > 128)
    throw std::invalid_argument("a simulated tile has 1 to 128 KiB of SRAM, not " + std::to_string(shape.sram_kib));
  if (shape.colors != kBuiltColors)
    throw std::invalid_argument("the RTL in this program has " + std::to_string(kBuiltColors) + " colors, not " +
                                std::to_string(shape.colors));
  for (auto make : {if_built<2>, if_built<4>, if_built<8>, if_built<16>})
    if (auto tiles = make(context, shape, threads)) return tiles;
  const std::string lanes = std::to_string(shape.lanes);
  if (shape.general)
    throw std::invalid_argument("RTL of general tiles of " + lanes +
                                " lanes is not in this program. HINT: make build GENERAL=" + lanes);
  throw std::invalid_argument("RTL of " + lanes + " lanes is not in this program. HINT: make build LANES=" + lanes);
}

}  // namespace weft::sim
