/// Report of a clocked wafer about its tiles: what they wait for, and their flags.
#include "verif/sim/clocked_wafer.hpp"
#include "verif/sim/debug_state.hpp"

namespace weft::sim {
namespace {

constexpr int kTilesShown = 40;

std::string place(int row, int col) { return "row " + std::to_string(row) + " column " + std::to_string(col); }

}  // namespace

bool ClockedWafer::rests(int row) const {
  for (int col = 0; col < shape_.cols; ++col)
    if (!running(row, col).empty() || !DebugState(debug(row, col)).rests()) return false;
  return true;
}

void ClockedWafer::keep_one_group(machine::HangSnapshot& s) const {
  int group = 0;
  for (int row = shape_.all_rows() - 1; row >= 0; --row)
    if (!rests(row)) group = row / shape_.rows;
  const auto keep = [group](auto& all, int of_one) {
    const auto first = all.begin() + group * of_one;
    all.erase(first + of_one, all.end());
    all.erase(all.begin(), first);
  };
  keep(s.tiles, shape_.rows * shape_.cols);
  keep(s.rows, shape_.rows);
  keep(s.valves, shape_.valves);
  s.shape.row_groups = 1;
  s.why = "group " + std::to_string(group) + " of the rows: " + s.why;
}

bool ClockedWafer::rests() const {
  for (int row = 0; row < shape_.all_rows(); ++row)
    for (int col = 0; col < shape_.cols; ++col)
      if (!DebugState(debug(row, col)).rests()) return false;
  return true;
}

std::string ClockedWafer::waiting() const {
  std::string text;
  int shown = 0, hidden = 0;
  for (int row = 0; row < shape_.all_rows(); ++row) {
    for (int col = 0; col < shape_.cols; ++col) {
      std::string what = running(row, col);
      if (what.empty()) {
        const DebugState state(debug(row, col));
        if (state.rests()) continue;
        what = state.text();
      }
      if (++shown > kTilesShown) {
        ++hidden;
        continue;
      }
      text += place(row, col) + ": " + what + "\n";
    }
  }
  if (hidden > 0) text += "and " + std::to_string(hidden) + " more tiles\n";
  if (shown == 0) text += "all tiles rest\n";
  if (const std::string set = flags(); !set.empty()) text += "flags: " + set + "\n";
  return text;
}

std::string ClockedWafer::flags() const {
  std::string text;
  const auto add = [&](const std::string& where, std::uint8_t bits) {
    if (bits != 0) text += (text.empty() ? "" : "; ") + where + ":" + flag_names(bits);
  };
  for (int row = 0; row < shape_.all_rows(); ++row) {
    add("row " + std::to_string(row) + " edge", edge_flags(row));
    for (int col = 0; col < shape_.cols; ++col) add(place(row, col), tile_flags(row, col));
  }
  return text;
}

}  // namespace weft::sim
