#include <fmt/format.h>

#include <charconv>
#include <ostream>

#include "host/look/bisect/command.hpp"
#include "host/look/bisect/recorder.hpp"
#include "verif/trace/tile_list.hpp"

namespace weft::bisect {
namespace {

using Options = std::map<std::string, std::string>;

std::string option(const Options& options, const std::string& name, const std::string& otherwise) {
  const auto at = options.find(name);
  return at == options.end() ? otherwise : at->second;
}

std::uint64_t number(const Options& options, const std::string& name, std::uint64_t otherwise) {
  const std::string text = option(options, name, std::to_string(otherwise));
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size())
    throw Refusal("--" + name, text + " is no number", "write digits");
  return value;
}

}  // namespace

int trail_command(const Config& config, const Options& options, std::ostream& out) {
  const Level level = find_level(option(options, "level", "steps"));
  const std::string file = option(options, "out", "");
  if (file.empty()) throw Refusal("--out", "missing", "name the file that the trail goes to");
  Request request{.level = level,
                  .step = number(options, "step", 1),
                  .micro_batch = number(options, "wafer", 0),
                  .phase = option(options, "phase", "")};
  if (level != Level::Steps && level != Level::State && request.step == 0)
    throw Refusal("--step", "0 is no step", "the first step is 1");
  if (level == Level::Phase && request.phase.empty())
    throw Refusal("--phase", "missing", "name a phase: load, tokens, or one that weft waves --phase list prints");
  const std::vector<TilePlace> tiles = parse_tiles(option(options, "tile", "0,0"), config.wafer);
  if (tiles.size() != 1) throw Refusal("--tile", "names more than one tile", "name one, e.g. 2,1");
  request.row = tiles[0].row;
  request.col = tiles[0].col;
  Recorder recorder(config);
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
  out << fmt::format("trail   {}: {}\n", level_name(level), file);
  return 0;
}

}  // namespace weft::bisect
