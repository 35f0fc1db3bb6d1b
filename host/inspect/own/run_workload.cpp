#include "host/inspect/own/run_workload.hpp"

#include <algorithm>
#include <utility>

#include "sw/base/refusal.hpp"

namespace weft::inspect::own {
namespace {

const assembler::Program kNoProgram;
const std::vector<compiler::ArraySymbol> kNoSymbols;

}  // namespace

int program_of(const weft::programs::Image& image, sim::TilePlace tile) {
  const auto found = std::ranges::find_if(image.programs, [&](const weft::programs::LoadedProgram& loaded) {
    return loaded.region.has({tile.row, tile.col});
  });
  return found == image.programs.end() ? -1 : static_cast<int>(found - image.programs.begin());
}

RunWorkload::RunWorkload(std::shared_ptr<const weft::programs::Replay> run) : run_(std::move(run)) {
  std::vector<std::pair<std::string, unsigned>> streams;
  for (const weft::programs::LoadedStream& stream : run_->image.streams)
    streams.emplace_back(stream.name, static_cast<unsigned>(stream.color));
  for (const weft::programs::LoadedProgram& loaded : run_->image.programs) names_.push_back({loaded.arrays, streams});
  names_.push_back({{}, streams});
}

std::size_t RunWorkload::find(const std::string& name) const {
  if (name == run_->kernel) return 0;
  throw Refusal("break phase " + name, "a run has no phases", "break at a label, or at FILE:LINE");
}

debug::Names RunWorkload::names(sim::TilePlace tile) const {
  const int program = program_of(run_->image, tile);
  const bool none = program < 0;
  return {.program = none ? kNoProgram : run_->image.programs[static_cast<std::size_t>(program)].program,
          .arrays = kNoSymbols,
          .wafer = run_->image.shape,
          .width = 0,
          .own = none ? &names_.back() : &names_[static_cast<std::size_t>(program)]};
}

deadlock::Programs RunWorkload::programs() const {
  std::vector<const assembler::Program*> list;
  for (const weft::programs::LoadedProgram& loaded : run_->image.programs) list.push_back(&loaded.program);
  return deadlock::Programs(std::move(list));
}

}  // namespace weft::inspect::own
