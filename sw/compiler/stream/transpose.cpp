#include "sw/compiler/stream/transpose.hpp"

#include <cstring>

#include "sw/base/bf16.hpp"

namespace weft::compiler {
namespace {

using Eight = std::uint16_t __attribute__((vector_size(16)));

/// Interleaves the elements of vectors i and i + 4; the lower halves go to vector 2 i, the upper halves to 2 i + 1.
void interleave(std::array<Eight, 8>& v) {
  std::array<Eight, 8> w;
  for (std::size_t i = 0; i < 4; ++i) {
    w[2 * i] = __builtin_shufflevector(v[i], v[i + 4], 0, 8, 1, 9, 2, 10, 3, 11);
    w[2 * i + 1] = __builtin_shufflevector(v[i], v[i + 4], 4, 12, 5, 13, 6, 14, 7, 15);
  }
  v = w;
}

/// Transposes eight rows of eight; `from` and `to`: elements from one row, or column, to the next.
void transpose_eight(const std::uint16_t* rows, std::size_t from, std::uint16_t* columns, std::size_t to) {
  std::array<Eight, 8> v;
  for (std::size_t i = 0; i < 8; ++i) std::memcpy(&v[i], rows + i * from, sizeof v[i]);
  for (int step = 0; step < 3; ++step) interleave(v);
  for (std::size_t j = 0; j < 8; ++j) std::memcpy(columns + j * to, &v[j], sizeof v[j]);
}

}  // namespace

void prefetch(const Tile& tile, const Parameters& parameters) {
  for (const std::uint64_t source : tile.sources) parameters.prefetch(tile.from + source);
}

void transpose(const Tile& tile, const Parameters& parameters, const std::array<std::uint16_t*, Tile::kOutputs>& to) {
  constexpr std::size_t kOutputs = Tile::kOutputs, kElements = Tile::kElements;
  std::array<std::uint32_t, kElements * kOutputs> read;   // [element][output]
  std::array<std::uint16_t, kElements * kOutputs> block;  // block as bf16
  const bool whole = tile.outputs == kOutputs && tile.sources.size() == kElements;
  if (!whole) read.fill(0);
  for (std::size_t t = 0; t < tile.sources.size(); ++t) {
    const float* const one = parameters.at(tile.from + tile.sources[t], tile.outputs);
    std::uint32_t* const here = &read[t * kOutputs];
    if (tile.outputs == kOutputs) {
      std::memcpy(here, one, kOutputs * sizeof *one);  // a constant length for the compiler
    } else {
      std::memcpy(here, one, tile.outputs * sizeof *one);
    }
  }
  for (std::size_t k = 0; k < block.size(); ++k) block[k] = to_bf16(read[k]);
  // Not written to `to` directly: outputs are often a multiple of a page apart, so their cache lines would conflict.
  std::array<std::array<std::uint16_t, kElements>, kOutputs> made;
  for (std::size_t t = 0; t < kElements; t += 8)
    for (std::size_t j = 0; j < kOutputs; j += 8)
      transpose_eight(&block[t * kOutputs + j], kOutputs, &made[j][t], kElements);
  for (std::size_t j = 0; j < tile.outputs; ++j) {
    if (whole) {
      std::memcpy(to[j], made[j].data(), sizeof made[j]);
    } else {
      std::memcpy(to[j], made[j].data(), tile.sources.size() * sizeof made[j][0]);
    }
  }
}

}  // namespace weft::compiler
