#include "host/programs/arrays.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "host/programs/commands.hpp"
#include "host/programs/transfer.hpp"
#include "sw/base/bf16.hpp"
#include "sw/base/did_you_mean.hpp"
#include "sw/base/refusal.hpp"

namespace weft::programs {
namespace {

void require_type(const std::string& name, const Place& at, bool floats) {
  const bool is_floats = at.array->type != assembler::ElementType::Int16;
  if (is_floats != floats)
    throw Refusal(name,
                  fmt::format("is an array of {}", assembler::kElementTypes[static_cast<std::size_t>(at.array->type)]),
                  is_floats ? "use floats" : "use integers of 16 bits");
}

/// Calls `work` with each tile of an array and its part of `values`.
template <class Value, class Work>
void for_tiles(const Place& at, std::span<Value> values, const Work& work) {
  const Region& r = at.program->region;
  for (int row = r.row; row < r.row + r.rows; ++row)
    for (int col = r.col; col < r.col + r.cols; ++col)
      work(Tile{row, col}, values.subspan(at.first({row, col}), at.in_tile()));
}

std::uint16_t half(std::span<const std::uint32_t> words, std::size_t i) {
  return static_cast<std::uint16_t>(words[i / 2] >> (i % 2 * 16));
}

}  // namespace

Place place_of(const Image& image, const std::string& name) {
  std::vector<std::string> names;
  for (const LoadedProgram& program : image.programs)
    for (const assembler::Array& array : program.arrays) {
      if (array.name == name) return {&program, &array};
      names.push_back(array.name);
    }
  throw Refusal(name, "no program declares an array of this name",
                did_you_mean(name, names, "declare it with .array NAME, bf16, 64"));
}

Place place_of(const Image& image, const std::string& name, std::size_t elements, bool floats) {
  const Place at = place_of(image, name);
  require_type(name, at, floats);
  const Region& r = at.program->region;
  if (elements != at.size())
    throw Refusal(
        name, fmt::format("has {} elements, but the array has {} x {} x {}", elements, r.rows, r.cols, at.array->count),
        "give an element for each row and column of the program's region, and each element of a tile");
  return at;
}

std::vector<machine::Message> writes(const Image& image, const Place& place, std::span<const float> values) {
  Commands commands;
  std::vector<std::uint16_t> elements(place.in_tile());
  for_tiles(place, values, [&](Tile tile, std::span<const float> some) {
    if (!place.array->in_memory()) return commands.add(write_sums(image, *place.program, tile, *place.array, some));
    std::ranges::transform(some, elements.begin(), [](float value) { return to_bf16(as_bits(value)); });
    commands.add(write_memory(tile, *place.array, elements));
  });
  return commands.take();
}

std::vector<machine::Message> writes(const Image&, const Place& place, std::span<const std::int16_t> values) {
  Commands commands;
  for_tiles(place, values, [&](Tile tile, std::span<const std::int16_t> some) {
    commands.add(write_memory(tile, *place.array, std::vector<std::uint16_t>(some.begin(), some.end())));
  });
  return commands.take();
}

void store(const Place& place, Tile tile, std::span<const std::uint32_t> words, std::span<float> values) {
  const std::size_t first = place.first(tile);
  for (std::size_t i = 0; i < place.in_tile(); ++i)
    values[first + i] =
        as_float(place.array->in_memory() ? static_cast<std::uint32_t>(half(words, i)) << 16 : words[i]);
}

void store(const Place& place, Tile tile, std::span<const std::uint32_t> words, std::span<std::int16_t> values) {
  const std::size_t first = place.first(tile);
  for (std::size_t i = 0; i < place.in_tile(); ++i) values[first + i] = static_cast<std::int16_t>(half(words, i));
}

}  // namespace weft::programs
