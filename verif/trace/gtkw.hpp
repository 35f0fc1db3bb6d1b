/// Writer of GTKWave's save file, which defines rows, groups, translations to text, and markers. Paths of other files
/// are relative to the save file, so the folder can be moved.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "verif/trace/rows.hpp"

namespace weft::trace {

struct GtkwView {
  std::string trace;  ///< the name of the FST file
  /// Names of files that translate values to text, by kind. For a kind without a file the view shows the trace's text
  /// signals, in one color.
  std::map<RowKind, std::string> words = {};
  std::uint64_t first = 0, last = 0;
  std::vector<std::pair<std::uint64_t, std::string>> markers = {};  ///< the first 26 are shown
  std::vector<RowGroup> groups = {};
};

/// `name`: name of the save file itself, from which GTKWave finds the other files.
void write_gtkw(const GtkwView& view, const std::string& name, std::ostream& out);

}  // namespace weft::trace
