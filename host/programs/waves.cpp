#include "host/programs/waves.hpp"

#include <filesystem>
#include <utility>

#include "sw/base/refusal.hpp"
#include "verif/trace/tile_list.hpp"

namespace weft::programs {
namespace {

namespace fs = std::filesystem;

/// Calls `work`, and gives its refusals, which name flags of `weft waves`, the subject of this function.
template <class Work>
auto in_own_words(const Work& work) {
  try {
    return work();
  } catch (const Refusal& refusal) {
    throw refusal.reworded("waves", refusal.problem(), refusal.hint());
  }
}

const LoadedProgram* program_of(const Image& image, const sim::TilePlace& place) {
  for (const LoadedProgram& loaded : image.programs)
    if (loaded.region.has({place.row, place.col})) return &loaded;
  return nullptr;
}

const std::string& in_folder(const std::string& file) {
  const fs::path folder = fs::path(file).parent_path();
  std::error_code error;
  if (!folder.empty()) fs::create_directories(folder, error);
  if (error)
    throw Refusal("waves", folder.string() + ": " + error.message(), "name a folder that can be written")
        .caused_by(error.value());
  return file;
}

}  // namespace

WaveRequest wave_request(const std::string& file, const std::string& tiles, const std::string& cycles,
                         const Image& image) {
  if (fs::path(file).extension() != ".fst")
    throw Refusal("waves", printable(file) + " does not end in .fst", "name the trace, as out/run.fst");
  return in_own_words([&] {
    WaveRequest request{file, trace::parse_tiles(tiles, image.shape), {}};
    if (!cycles.empty()) request.window = trace::parse_cycles(cycles);
    const LoadedProgram* const program = program_of(image, request.tiles.front());
    for (const sim::TilePlace& place : request.tiles)
      if (program_of(image, place) != program)
        throw Refusal("", "the tiles " + tiles + " run several programs, and a trace has the names of one",
                      "trace the tiles of each program in a run of its own");
    return request;
  });
}

RunTrace::RunTrace(const WaveRequest& request, sim::ClockedWafer& wafer, const Image& image, const std::string& kernel)
    : wafer_(wafer), trace_(in_own_words([&] {
        const LoadedProgram* const loaded = program_of(image, request.tiles.front());
        return trace::Trace({.file = in_folder(request.file),
                             .tiles = request.tiles,
                             .window = request.window,
                             .origin = wafer.cycle_number()},
                            image.shape, loaded ? &loaded->program : nullptr);
      })) {
  std::vector<unsigned> calls;
  if (const LoadedProgram* const loaded = program_of(image, request.tiles.front()))
    if (const assembler::Kernel* const called = loaded->program.kernel(kernel)) calls.push_back(called->address);
  trace_.phase(wafer.cycle_number(), kernel, calls);
  wafer.watch(&trace_, request.tiles);
}

RunTrace::~RunTrace() { wafer_.watch(nullptr); }

void RunTrace::end() {
  wafer_.watch(nullptr);
  if (trace_.cycles() == 0)
    throw Refusal("waves", "the run ended before the cycles to be traced", "name cycles within the run");
  in_own_words([&] { trace_.close(); });
}

}  // namespace weft::programs
