/// Parameters of neighbouring outputs, which memory has input by input, output by output.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "sw/compiler/parameters.hpp"

namespace weft {

/// Some taps of neighbouring outputs: tap t of output j is parameter from + sources[t] + j.
struct Tile {
  static constexpr std::size_t kTaps = 64;     ///< at most
  static constexpr std::size_t kOutputs = 16;  ///< at most; so many a cache line has of one input
  std::span<const std::uint64_t> sources;
  std::uint64_t from;
  std::size_t outputs;
};

/// Asks memory for them.
void prefetch(const Tile& tile, const Parameters& parameters);

/// to[j][t] = bf16 of the parameter of tap t and output j.
void transpose(const Tile& tile, const Parameters& parameters, const std::array<std::uint16_t*, Tile::kOutputs>& to);

}  // namespace weft
