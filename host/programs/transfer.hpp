/// Arrays of tiles to and from the host, as commands and words (docs/reference/programs.md).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "host/programs/image.hpp"

namespace weft::programs {

/// The routines that answer the host (transfer.s).
assembler::Source transfer_source();

/// Routes of the words that tiles send to the host: the color WEST, westwards through all columns.
std::vector<machine::Message> host_routes();
/// True if a stream has the color WEST; the routes above are then set for each transfer, and restored behind it.
bool shares_west(const Image& image);
/// The routes of all streams of the color WEST, in place of host_routes().
std::vector<machine::Message> restored_routes(const Image& image);

/// Writes 16-bit elements to an array in memory of one tile.
std::vector<machine::Message> write_memory(Tile tile, const assembler::Array& array,
                                           std::span<const std::uint16_t> elements);
/// Writes an array of fp32 of one tile, each value as the sum of three bf16.
std::vector<machine::Message> write_sums(const Image& image, const LoadedProgram& program, Tile tile,
                                         const assembler::Array& array, std::span<const float> values);
/// Requests an array from the tiles of one column of the program's region.
std::vector<machine::Message> request(const Image& image, const LoadedProgram& program, int col,
                                      const assembler::Array& array);
/// Number of words that a tile sends in answer to request().
std::size_t answer_words(const Image& image, const assembler::Array& array);

}  // namespace weft::programs
