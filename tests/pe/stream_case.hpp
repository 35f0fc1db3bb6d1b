/// Helpers for the tests of instructions on streams.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "tests/pe/tile_grid.hpp"
#include "tests/pe/tile_reference.hpp"

namespace weft::test {

using Words = std::vector<std::uint32_t>;

/// Assembly that sets a control register, using r9.
inline std::string csr(const char* name, int value) {
  return "li r9, " + std::to_string(value) + "\n csrw " + name + ", r9\n";
}

/// Random values in the first elements of a tile's memory.
inline void fill(TileGrid& g, std::mt19937& rng, int elements, int row = 0, int col = 0) {
  for (int i = 0; i < elements; ++i) g.poke(i, random_bf16(rng), row, col);
}

}  // namespace weft::test
