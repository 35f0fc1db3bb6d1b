#include "host/programs/transfer.hpp"

#include <algorithm>
#include <array>

#include "host/programs/commands.hpp"
#include "sw/base/bf16.hpp"
#include "transfer_source.hpp"

namespace weft::programs {
namespace {

using machine::Port;

/// Three bf16 whose sum is `value`, unless the last ones would be subnormal: each holds the next 8 bits of its
/// fraction.
std::array<std::uint16_t, 3> parts_of(float value) {
  std::array<std::uint16_t, 3> parts{};
  const std::uint32_t bits = canonical(as_bits(value));
  if ((bits & 0x7f800000) == 0x7f800000) {  // infinity, NaN
    parts[0] = to_bf16(bits);
    return parts;
  }
  float rest = as_float(bits);
  for (std::uint16_t& part : parts) {
    part = static_cast<std::uint16_t>(flush(as_bits(rest)) >> 16);  // towards zero
    rest -= as_float(static_cast<std::uint32_t>(part) << 16);
  }
  return parts;
}

int entries(const Image& image, const assembler::Array& array) {
  return (array.count + image.shape.lanes - 1) / image.shape.lanes;
}

}  // namespace

assembler::Source transfer_source() { return {"weft/transfer.s", kTransferSource}; }

std::vector<machine::Message> host_routes() {
  Commands commands;
  commands.select({});
  commands.route(kWest, Port::Ramp, bit(Port::W));
  commands.route(kWest, Port::E, bit(Port::W));
  return commands.take();
}

bool shares_west(const Image& image) {
  return std::ranges::any_of(image.streams, [](const LoadedStream& s) { return s.color == kWest; });
}

std::vector<machine::Message> restored_routes(const Image& image) {
  Commands commands;
  commands.select({});
  for (const Port port : {Port::Ramp, Port::E}) commands.route(kWest, port, 0);
  for (const LoadedStream& stream : image.streams)
    for (const Route& route : stream.ends.routes) {
      if (stream.color != kWest || (route.port != Port::Ramp && route.port != Port::E)) continue;
      commands.select({route.tile.row, route.tile.col});
      commands.route(kWest, route.port, route.outputs);
    }
  return commands.take();
}

std::vector<machine::Message> write_memory(Tile tile, const assembler::Array& array,
                                           std::span<const std::uint16_t> elements) {
  Commands commands;
  commands.select({tile.row, tile.col});
  commands.write(array.address, elements);
  return commands.take();
}

std::vector<machine::Message> write_sums(const Image& image, const LoadedProgram& program, Tile tile,
                                         const assembler::Array& array, std::span<const float> values) {
  constexpr std::size_t kSize = kScratch / 3;  // most elements of a part: whole entries
  const int lanes = image.shape.lanes, scratch = image.shape.sram_elements() - kScratch;
  const assembler::Kernel& kernel = *program.program.kernel("weft_write_sums");
  Commands commands;
  commands.select({tile.row, tile.col});
  for (std::size_t first = 0; first < values.size(); first += kSize) {
    const std::span some = values.subspan(first, std::min(kSize, values.size() - first));
    const int beats = (static_cast<int>(some.size()) + lanes - 1) / lanes;
    const auto size = static_cast<std::size_t>(beats * lanes);
    std::vector<std::uint16_t> elements(3 * size);
    for (std::size_t i = 0; i < some.size(); ++i) {
      const auto parts = parts_of(some[i]);
      for (std::size_t p = 0; p < parts.size(); ++p) elements[p * size + i] = parts[p];
    }
    commands.write(scratch, elements);
    const int to = array.address + static_cast<int>(first) / lanes;
    commands.call(kernel, std::array{to, beats, scratch, static_cast<int>(size)});
  }
  return commands.take();
}

std::vector<machine::Message> request(const Image& image, const LoadedProgram& program, int col,
                                      const assembler::Array& array) {
  const int lanes = image.shape.lanes, scratch = image.shape.sram_elements() - kScratch, all = entries(image, array);
  Commands commands;
  for (const machine::Selection& tiles : selections({program.region.row, col, program.region.rows, 1}, image.shape)) {
    commands.select(tiles);
    if (!array.in_memory()) {
      commands.call(*program.program.kernel("weft_read_sums"), std::array{array.address, all});
      continue;
    }
    for (int first = 0; first < all; first += kScratch / lanes)
      commands.call(*program.program.kernel("weft_read"),
                    std::array{array.address + first * lanes, std::min(kScratch / lanes, all - first), scratch});
  }
  return commands.take();
}

std::size_t answer_words(const Image& image, const assembler::Array& array) {
  const auto elements = static_cast<std::size_t>(entries(image, array) * image.shape.lanes);
  return array.in_memory() ? elements / 2 : elements;
}

}  // namespace weft::programs
