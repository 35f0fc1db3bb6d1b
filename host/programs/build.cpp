#include "host/programs/build.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "host/programs/check_layout.hpp"
#include "host/programs/collectives.hpp"
#include "host/programs/colors.hpp"
#include "host/programs/commands.hpp"
#include "host/programs/transfer.hpp"
#include "isa.hpp"
#include "sw/base/refusal.hpp"
#include "sw/compiler/program/load.hpp"
#include "verif/trace/words.hpp"

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
  std::vector<Collective> collectives = layout.collectives;
  for (Collective& c : collectives) c.region = resolved(c.region, shape);
  for (Stream& stream : collective_streams(collectives)) streams.push_back(std::move(stream));
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

int elements_of(std::span<const assembler::Array> arrays, const std::string& collective, const std::string& name) {
  const auto found = std::ranges::find(arrays, name, &assembler::Array::name);
  if (found == arrays.end())
    throw Refusal(collective, "its program has no array " + name, "declare it with .array " + name + ", fp32, 64");
  if (found->type != assembler::ElementType::Fp32)
    throw Refusal(collective, "array " + name + " is not one of fp32", "use an array in the accumulator file");
  return found->count;
}

/// An error of the assembler in the terms of a layout: its other sources are not the user's, and its constants are
/// streams and parameters.
Refusal in_own_words(const assembler::AssemblyError& error, const std::string& program) {
  const std::string& problem = error.problem();
  if (problem.ends_with("is already defined by the caller"))
    return error.reworded(error.subject(),
                          problem.substr(0, problem.rfind("is already")) +
                              "is already the name of a stream, of a parameter or of a number of Weft",
                          error.hint());
  if (problem.starts_with("undefined name") && error.hint().starts_with("define it"))
    return error.reworded(error.subject(), problem, "give it as a parameter of the program, or define it with .equ");
  if (error.file != transfer_source().name) return error;
  if (problem.find("is already defined") != std::string::npos)
    return error.reworded(program, problem + ", and by the routines that answer the host",
                          "choose names that do not begin with weft_");
  return error.reworded(program, problem + ", with those that answer the host", error.hint());
}

/// Assembles a program with its collectives, whose text depends on the sizes of its arrays.
assembler::ProgramWithArrays assemble(const RegionProgram& given, std::span<const Collective* const> collectives,
                                      const Region& region, int lanes, const assembler::Constants& constants) {
  const auto with = [&](std::span<const Collective> list, const auto& elements) {
    std::vector<std::string> names, texts;
    for (const Collective& c : list) {
      names.push_back(given.name + ", collective " + c.name);
      texts.push_back(collective_text(c, region, lanes, [&](const std::string& name) { return elements(c, name); }));
    }
    std::vector<assembler::Source> sources{{given.name, given.text}};
    for (std::size_t i = 0; i < texts.size(); ++i) sources.push_back({names[i], texts[i]});
    sources.push_back(transfer_source());
    try {
      return assembler::assemble_with_arrays(sources, constants);
    } catch (const assembler::AssemblyError& error) {
      throw in_own_words(error, given.name);
    }
  };
  std::vector<Collective> list;
  for (const Collective* const c : collectives) {
    list.push_back(*c);
    list.back().array = "0";  // places are not known yet
    if (!c->other.empty()) list.back().other = "1";
  }
  auto assembled = with(list, [&](const Collective& c, const std::string& name) {
    // Any sizes that fit: the program has as many instructions.
    const bool blocks = c.kind == Collective::Kind::Gather || c.kind == Collective::Kind::Scatter;
    const int tiles = c.along == Collective::Along::Rows ? region.cols : region.rows;
    return blocks && name == "1" ? tiles * lanes : lanes;
  });
  if (collectives.empty()) return assembled;
  for (std::size_t i = 0; i < list.size(); ++i) list[i] = *collectives[i];
  return with(
      list, [&](const Collective& c, const std::string& name) { return elements_of(assembled.arrays, c.name, name); });
}

/// No kernel may run into the routines behind the user's text.
void check_end(const assembler::Program& program, const std::string& name) {
  for (const assembler::Kernel& kernel : program.kernels) {
    if (kernel.name.starts_with("weft_")) continue;
    for (const unsigned pc : trace::reached(program, kernel.address)) {
      const assembler::SourceLine& at = program.lines[pc];
      if (program.files[at.file] != name || pc + 1 == program.words.size() || program.lines[pc + 1].file == at.file)
        continue;
      const isa::Instr in = isa::decode(program.words[pc]);
      if (in.op == isa::Opcode::Halt || in.op == isa::Opcode::Jr || (in.op == isa::Opcode::Jal && in.rd == 0)) continue;
      throw Refusal(fmt::format("{}:{}", name, at.line), "the program continues behind its last instruction",
                    "end it with halt, or with a jump");
    }
  }
}

LoadedProgram load_program(const RegionProgram& given, std::span<const Collective> all,
                           std::span<const LoadedStream> streams, const machine::WaferShape& shape) {
  LoadedProgram loaded{.region = resolved(given.region, shape), .program = {}, .arrays = {}};
  std::vector<const Collective*> collectives;
  for (const Collective& c : all)
    if (resolved(c.region, shape) == loaded.region) collectives.push_back(&c);
  check_region(given.name, loaded.region, shape);
  assembler::Constants constants(given.parameters.begin(), given.parameters.end());
  const auto define = [&](const std::string& name, int value, const char* what) {
    if (!constants.emplace(name, value).second)
      throw Refusal(given.name, fmt::format("parameter {} has the name of {}", name, what), "choose another name");
  };
  define("LANES", shape.lanes, "the number of lanes");
  for (const LoadedStream& stream : streams) define(stream.name, stream.color, "a stream");
  auto assembled = assemble(given, collectives, loaded.region, shape.lanes, constants);
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
  check_end(loaded.program, given.name);
  loaded.arrays = std::move(assembled.arrays);
  check_memory(loaded, shape);
  return loaded;
}

}  // namespace

Image build(const Layout& layout, const machine::WaferShape& shape) {
  if (layout.programs.empty()) throw Refusal("layout", "it has no program", "add one with Layout::program");
  for (const Collective& c : layout.collectives)
    if (std::ranges::none_of(layout.programs, [&](const RegionProgram& given) {
          return resolved(given.region, shape) == resolved(c.region, shape);
        }))
      throw Refusal(c.name, "no program has the region of this collective", "give it the region of one");
  Image image{.shape = shape, .programs = {}, .streams = load_streams(layout, shape), .load = {}};
  Commands commands;
  for (const RegionProgram& given : layout.programs) {
    image.programs.push_back(load_program(given, layout.collectives, image.streams, shape));
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
