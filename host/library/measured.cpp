#include "host/library/measured.hpp"

#include <cerrno>
#include <fstream>
#include <sstream>

#include "host/inspect/profile/perfetto.hpp"
#include "host/inspect/profile/print.hpp"
#include "host/inspect/profile/profile.hpp"
#include "sw/base/refusal.hpp"

namespace weft::library {
namespace {

namespace profiles = inspect::profile;

void require_runs(const std::vector<programs::MeasuredRun>& runs) {
  if (runs.empty()) throw Refusal("inspect", "no kernel has run since the layout was loaded", "run one");
}

profiles::Profile profile_of(const machine::WaferShape& shape, const std::vector<programs::MeasuredRun>& runs) {
  require_runs(runs);
  profiles::Profile profile;
  profile.config = "programs";
  profile.wafer = shape;
  const auto traffic = [](const programs::Passed& p) { return profiles::Traffic{p.messages, p.begin, p.end}; };
  for (const programs::MeasuredRun& run : runs) {
    profiles::Phase& phase = profile.phases.emplace_back();
    phase.name = run.kernel;
    phase.tiles = run.tiles;
    phase.valves = {traffic(run.valve)};
    phase.outlets.resize(static_cast<std::size_t>(shape.rows));
    for (std::size_t row = 0; row < run.outlets.size(); ++row) phase.outlets[row] = traffic(run.outlets[row]);
    phase.multiply_adds = run.multiply_adds;
  }
  return profile;
}

}  // namespace

std::map<std::string, std::vector<std::uint64_t>> stalls(const std::vector<programs::MeasuredRun>& runs) {
  require_runs(runs);
  const std::vector<sim::StallRecord>& tiles = runs.back().tiles;
  std::map<std::string, std::vector<std::uint64_t>> result;
  for (std::size_t tile = 0; tile < tiles.size(); ++tile)
    for (std::size_t thread = 0; thread < sim::kThreads; ++thread)
      for (std::size_t reason = 0; reason < sim::kStallReasons; ++reason) {
        const std::uint32_t cycles = tiles[tile].counts[thread][reason];
        if (cycles == 0) continue;
        auto& of_all = result[(thread == 0 ? "main." : "psum.") + std::string(isa::kStallNames[reason])];
        of_all.resize(tiles.size());
        of_all[tile] = cycles;
      }
  return result;
}

std::string profile(const machine::WaferShape& shape, const std::vector<programs::MeasuredRun>& runs) {
  const profiles::Profile profile = profile_of(shape, runs);
  std::ostringstream text;
  profiles::print_table(profile, text);
  text << '\n';
  profiles::print_heat(profile, false, text);
  profiles::print_losses(profile, text);
  return text.str();
}

void save_profile(const machine::WaferShape& shape, const std::vector<programs::MeasuredRun>& runs,
                  const std::string& file) {
  const std::string text = profiles::to_perfetto(profile_of(shape, runs));
  std::ofstream out(file, std::ios::binary);
  if (!(out << text << std::flush))
    throw Refusal(file, "cannot be written", "name a file in a folder that can be written").caused_by(errno);
}

}  // namespace weft::library
