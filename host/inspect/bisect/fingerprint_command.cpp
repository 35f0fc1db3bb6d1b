#include <fmt/format.h>

#include <fstream>
#include <ostream>
#include <string_view>

#include "host/inspect/bisect/command.hpp"
#include "host/inspect/bisect/recorder.hpp"
#include "host/inspect/snapshot_to_rtl.hpp"
#include "host/system/overwrite_guard.hpp"
#include "verif/trace/tile_list.hpp"

namespace weft::inspect::bisect {
namespace {

/// Allows to overwrite files of `weft trail`, the command's old name, too.
void guard_overwrite_fingerprint(const std::string& file) {
  constexpr std::string_view kOld = "{\"weft_trail\"";
  std::string begin(kOld.size(), '\0');
  std::ifstream(file, std::ios::binary).read(begin.data(), static_cast<std::streamsize>(begin.size()));
  system::guard_overwrite(file, begin == kOld ? kOld : "{\"weft_fingerprint\"");
}

}  // namespace

int fingerprint_command(const config::Config& config, const config::Options& options, std::ostream& out,
                        system::Progress* progress) {
  const Level level = find_level(config::option(options, "level", "steps"));
  const std::string file = config::option(options, "out", "");
  if (file.empty()) throw Refusal("--out", "missing", "name the file to write the fingerprint to");
  guard_overwrite_fingerprint(file);
  Request request{.level = level,
                  .step = config::number(options, "step", 1),
                  .micro_batch = config::number(options, "wafer", 0),
                  .phase = config::option(options, "phase", "")};
  if (level != Level::Steps && level != Level::State && request.step == 0)
    throw Refusal("--step", "0 is not a step", "the first step is 1");
  if (level == Level::Phase && request.phase.empty())
    throw Refusal("--phase", "missing", "name a phase: load, tokens, or one that weft waves --phase list prints");
  const sim::TilePlace tile = trace::one_tile(config::option(options, "tile", "0,0"), config.wafer);
  request.row = tile.row;
  request.col = tile.col;
  Recorder recorder(config);
  recorder.show_progress(progress);
  if (level == Level::Phase && request.phase != "load" && request.phase != "tokens")
    out << note_other_name(recorder.plan(), find_phase(recorder.plan(), request.phase), request.phase);
  switch (level) {
    case Level::Steps:
      save(recorder.steps(), file);
      break;
    case Level::State:
      save(recorder.state(request.step), file);
      break;
    case Level::Phases:
      save(recorder.phases(request.step), file);
      break;
    case Level::Phase:
      save(recorder.phase(request), file);
      break;
  }
  if (progress != nullptr) progress->clear();
  if (recorder.note()) out << *recorder.note() << '\n';
  out << fmt::format("fingerprint   {}: {}\n", level_name(level), file);
  return 0;
}

}  // namespace weft::inspect::bisect
