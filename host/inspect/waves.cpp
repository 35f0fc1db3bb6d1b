#include "host/inspect/waves.hpp"

#include <fmt/format.h>

#include <optional>
#include <ostream>

#include "host/backends/backend.hpp"
#include "host/config/plural.hpp"
#include "host/inspect/replay_to_step.hpp"
#include "host/inspect/snapshot_to_rtl.hpp"
#include "host/planning/compile_plan.hpp"
#include "host/train/load_weights.hpp"
#include "sw/base/shell_word.hpp"
#include "verif/trace/tile_list.hpp"

namespace weft::inspect {
void list_phases(const config::Config& config, std::ostream& out) {
  for (const compiler::Op& op : planning::compile_plan(config, train::first_mask(config)).ops) out << op.name << '\n';
}

int waves(const config::Config& config, const config::Options& options, std::ostream& out, system::Progress* progress) {
  std::string name = config::option(options, "phase", "");
  if (name == "list") {
    list_phases(config, out);
    return 0;
  }
  if (name.empty()) throw Refusal("--phase", "missing", "name a phase; --phase list prints them");
  // All options are checked before the long computation.
  const std::vector<sim::TilePlace> tiles = trace::parse_tiles(config::option(options, "tile", "0,0"), config.wafer);
  const trace::CycleWindow window =
      options.contains("cycles") ? trace::parse_cycles(options.at("cycles")) : trace::CycleWindow{};
  const std::uint64_t step = config::number(options, "step", 1);
  const std::uint64_t wafer = config::number(options, "wafer", 0);
  const std::filesystem::path folder = config::option(options, "out", "out/waves");
  const compiler::Plan plan = planning::compile_plan(config, train::first_mask(config));
  const std::size_t named = find_phase(plan, name);
  out << note_other_name(plan, named, name);
  name = plan.ops[named].name;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw Refusal("--out", fmt::format("{}: {}", folder.string(), error.message()), "name a folder that can be written")
        .caused_by(error.value());

  ReplayToStep start(config, step, out, progress);
  const std::size_t phase = find_phase(start.plan(), name);
  const std::vector<machine::Message> tokens = start.tokens(wafer);
  out << fmt::format("model   step {}, micro-batch {}, to {}\n", step, wafer, name) << std::flush;
  std::optional<system::ElapsedTime> time(std::in_place, progress, "model");
  SnapshotToRtl travel(start.plan(), start.parameters(), tokens, phase, backends::model_threads(start.config()));
  const std::uint64_t origin = travel.rtl().cycle_number();
  const std::filesystem::path file = folder / fmt::format("step{}.{}.fst", step, name);
  trace::Trace trace({.file = file, .tiles = tiles, .window = window, .origin = origin}, start.plan().wafer,
                     &start.plan().program);
  trace.phase(origin, name, calls_of(travel.messages()));
  travel.rtl().watch(&trace, tiles);
  time.emplace(progress, "rtl");
  const SnapshotToRtl::Result result = travel.run();
  time.reset();
  travel.rtl().watch(nullptr);
  if (trace.cycles() == 0)
    throw Refusal("--cycles", fmt::format("the phase has only {}", config::plural(result.cycles, "cycle")),
                  "name a window within the phase");
  trace.close();
  const auto bytes = std::filesystem::file_size(file);
  out << fmt::format("rtl     {} of {}, {} traced of {}\n", config::plural(result.cycles, "cycle"), name,
                     config::plural(trace.cycles(), "cycle"), config::plural(tiles.size(), "tile"));
  out << fmt::format("trace   {}: {}, {:.1f} a tile and cycle\n", file.string(), config::plural(bytes, "byte"),
                     static_cast<double>(bytes) / static_cast<double>(trace.cycles() * tiles.size()));
  const std::string open = fmt::format("open    gtkwave {}\n", shell_word(trace.view().string()));
  if (!result.difference.empty()) {
    out << open << fmt::format("differs the RTL does not match the model: {}\n", result.difference);
    return 1;
  }
  out << fmt::format("same    as the model: {} returned, the state of {}\n", config::plural(result.returned, "word"),
                     config::plural(static_cast<std::uint64_t>(config.wafer.rows) * config.wafer.cols, "tile"));
  out << open;
  return 0;
}

}  // namespace weft::inspect
