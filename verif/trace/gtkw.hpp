/// GTKWave's save file: which signals are rows, in which groups, with which filters and markers.
#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

#include "verif/trace/rows.hpp"

namespace weft {

struct GtkwView {
  std::filesystem::path trace, names;
  /// The program weft-words. Empty, or if a path has a blank, where GTKWave would cut it: texts take the place of what
  /// it would make words of, without its hues.
  std::filesystem::path words;
  std::uint64_t first = 0, last = 0;
  std::vector<std::pair<std::uint64_t, std::string>> markers = {};  ///< the first 26 are shown
  std::vector<RowGroup> groups = {};
};

void write_gtkw(const GtkwView& view, std::ostream& out);

}  // namespace weft
