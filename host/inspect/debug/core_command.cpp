#include "host/inspect/debug/core_command.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <ostream>

#include "host/inspect/debug/core_target.hpp"
#include "host/inspect/debug/lines.hpp"
#include "host/inspect/hang/core_file.hpp"
#include "sw/base/refusal.hpp"

namespace weft::inspect {
namespace {

int one_tile(const std::string& file, const std::string& tile, std::ostream& out) {
  int row = -1, col = -1;
  char end = 0;
  if (std::sscanf(tile.c_str(), "%d,%d%c", &row, &col, &end) != 2)
    throw Refusal("--tile", "is not a tile: " + tile, "write row and column, e.g. --tile 2,1");
  show_tile(file, row, col, out);
  return 0;
}

}  // namespace

int debug_core(const config::Options& options, std::istream& in, bool terminal, std::ostream& out) {
  const std::string file = config::option(options, "core", "");
  if (file.empty())
    throw Refusal("weft debug", "has no core dump",
                  "name the .weftcore that a run has written: weft debug FILE.weftcore");
  if (file.ends_with(".py"))
    throw Refusal("weft debug", file + " is a program of Python, not a core dump",
                  fmt::format("python3 -m weft.debug {} opens the debugger before runs of its wafers", file));
  for (const char* live : {"phase", "step", "wafer"})
    if (options.contains(live))
      throw Refusal(std::string("--") + live, "applies to a live wafer only",
                    "leave it out, since a core dump cannot run");
  if (options.contains("tile") && options.contains("script"))
    throw Refusal("--tile", "prints one tile, and --script is for the debugger", "write tile R,C into the script");
  if (options.contains("tile")) return one_tile(file, options.at("tile"), out);
  debug::Lines lines(options, in, terminal);
  debug::CoreTarget target(read_core(file), file);
  debug::Shell shell(target, out);
  out << target.report() << "a core dump, which cannot run; help lists the commands\n";
  return lines.to(shell, out);
}

}  // namespace weft::inspect
