/// Transposition of neighbouring outputs' parameters, from input-major order in memory to output-major order.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "sw/compiler/stream/parameters.hpp"

namespace weft::compiler {

/// Some elements of neighbouring outputs: element t of output j is parameter from + sources[t] + j.
struct Tile {
  static constexpr std::size_t kElements = 64;  ///< at most
  static constexpr std::size_t kOutputs = 16;   ///< at most; the number in a cache line for one input
  std::span<const std::uint64_t> sources;
  std::uint64_t from;
  std::size_t outputs;
};

/// Prefetches the tile's parameters into the cache.
void prefetch(const Tile& tile, const Parameters& parameters);

/// to[j][t] = bf16 of the parameter of element t and output j.
void transpose(const Tile& tile, const Parameters& parameters, const std::array<std::uint16_t*, Tile::kOutputs>& to);

}  // namespace weft::compiler
