#include "host/programs/build.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "host/programs/check_layout.hpp"
#include "host/programs/colors.hpp"
#include "host/programs/commands.hpp"
#include "host/programs/transfer.hpp"
#include "sw/base/refusal.hpp"
#include "sw/compiler/program/load.hpp"

namespace weft::programs {
namespace {

/// A region whose rows or columns are 0 reaches to the last one.
Region resolved(Region region, const machine::WaferShape& shape) {
  if (region.rows == 0) region.rows = shape.rows - region.row;
  if (region.cols == 0) region.cols = shape.cols - region.col;
  return region;
}

std::vector<LoadedStream> load_streams(const Layout& layout, const machine::WaferShape& shape) {
  std::vector<Stream> streams = layout.streams;
  std::vector<StreamRoutes> routes;
  for (Stream& stream : streams) {
    stream.region = resolved(stream.region, shape);
    if (std::ranges::count(streams, stream.name, &Stream::name) > 1)
      throw Refusal(stream.name, "two streams have this name", "choose another name");
    routes.push_back(routes_of(stream, shape));
  }
  const std::vector<int> colors = colors_of(streams, routes, shape);
  std::vector<LoadedStream> loaded;
  for (std::size_t i = 0; i < streams.size(); ++i) loaded.push_back({streams[i].name, colors[i], std::move(routes[i])});
  return loaded;
}

/// The largest element that an array in memory may end at.
void check_memory(const LoadedProgram& loaded, const machine::WaferShape& shape) {
  const int room = shape.sram_elements() - kScratch;
  for (const assembler::Array& array : loaded.arrays)
    if (array.in_memory() && array.address + array.count > room)
      throw Refusal(fmt::format("{}:{}", array.file, array.line),
                    fmt::format("array {} ends at element {}, but a tile's memory of {} KiB has room for {}",
                                array.name, array.address + array.count, shape.sram_kib, room),
                    "declare smaller arrays, or use tiles with more memory (sram_kib)");
}

LoadedProgram load_program(const RegionProgram& given, std::span<const LoadedStream> streams,
                           const machine::WaferShape& shape) {
  LoadedProgram loaded{.region = resolved(given.region, shape), .program = {}, .arrays = {}};
  check_region(given.name, loaded.region, shape);
  assembler::Constants constants(given.parameters.begin(), given.parameters.end());
  const auto define = [&](const std::string& name, int value, const char* what) {
    if (!constants.emplace(name, value).second)
      throw Refusal(given.name, fmt::format("parameter {} has the name of {}", name, what), "choose another name");
  };
  define("LANES", shape.lanes, "the number of lanes");
  for (const LoadedStream& stream : streams) define(stream.name, stream.color, "a stream");
  const std::array<assembler::Source, 2> sources = {assembler::Source{given.name, given.text}, transfer_source()};
  auto assembled = assembler::assemble_with_arrays(sources, constants);
  loaded.program = std::move(assembled.program);
  if (assembled.general && !shape.general)
    throw Refusal(fmt::format("{}:{}", loaded.program.files[assembled.general->file], assembled.general->line),
                  "the program needs general tiles, which this wafer does not have",
                  "use a wafer with general=True (docs/reference/general_tile.md)");
  if (loaded.program.words.size() > kEntry)
    throw Refusal(given.name,
                  fmt::format("has {} instructions with those that answer the host, but a tile has room for {}",
                              loaded.program.words.size(), kEntry),
                  "make it shorter");
  loaded.arrays = std::move(assembled.arrays);
  check_memory(loaded, shape);
  return loaded;
}

}  // namespace

Image build(const Layout& layout, const machine::WaferShape& shape) {
  if (layout.programs.empty()) throw Refusal("layout", "it has no program", "add one with Layout::program");
  Image image{.shape = shape, .programs = {}, .streams = load_streams(layout, shape), .load = {}};
  Commands commands;
  for (const RegionProgram& given : layout.programs) {
    image.programs.push_back(load_program(given, image.streams, shape));
    const LoadedProgram& loaded = image.programs.back();
    for (const machine::Selection& tiles : selections(loaded.region, shape)) {
      commands.select(tiles);
      commands.add(compiler::program_messages(loaded.program));
    }
  }
  check_programs(image);
  for (const LoadedStream& stream : image.streams)
    for (const Route& route : stream.ends.routes) {
      commands.select({route.tile.row, route.tile.col});
      commands.route(stream.color, route.port, route.outputs);
    }
  commands.select({});
  image.load = commands.take();
  return image;
}

}  // namespace weft::programs
