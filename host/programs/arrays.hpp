/// Arrays of a loaded layout: their places, and their elements as messages and words.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "host/programs/image.hpp"

namespace weft::programs {

/// An array, and the program that declares it.
struct Place {
  const LoadedProgram* program;
  const assembler::Array* array;

  std::size_t in_tile() const { return static_cast<std::size_t>(array->count); }
  std::size_t size() const { return static_cast<std::size_t>(program->region.rows * program->region.cols) * in_tile(); }
  /// Index of a tile's first element.
  std::size_t first(Tile t) const {
    const Region& r = program->region;
    return static_cast<std::size_t>((t.row - r.row) * r.cols + t.col - r.col) * in_tile();
  }
};

/// Throws Refusal for an unknown name.
Place place_of(const Image& image, const std::string& name);
/// As place_of; throws Refusal, too, if the array has another number of elements, or is one of int16 and `floats` is
/// set, or the other way round.
Place place_of(const Image& image, const std::string& name, std::size_t elements, bool floats);

/// The messages that set an array of bf16 or fp32, or one of int16.
std::vector<machine::Message> writes(const Image& image, const Place& place, std::span<const float> values);
std::vector<machine::Message> writes(const Image& image, const Place& place, std::span<const std::int16_t> values);

/// Stores the words of a tile's answer to request() (transfer.hpp) in the array's `values`.
void store(const Place& place, Tile tile, std::span<const std::uint32_t> words, std::span<float> values);
void store(const Place& place, Tile tile, std::span<const std::uint32_t> words, std::span<std::int16_t> values);

}  // namespace weft::programs
