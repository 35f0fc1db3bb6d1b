#include "host/inspect/bisect/in_phase.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ostream>

#include "host/inspect/bisect/first_event.hpp"
#include "host/inspect/bisect/first_number.hpp"

namespace weft::inspect::bisect {
namespace {

constexpr int kMostTiles = 16;  // limit of the tiles that are searched for the origin of a difference

/// First tile in which two lists with one entry per tile differ.
int first_tile(const std::vector<std::string>& x, const std::vector<std::string>& y) {
  return static_cast<int>(std::ranges::mismatch(x, y).in1 - x.begin());
}

}  // namespace

Phase InPhase::of(const Named& named, int row, int col) const {
  return named.side.phase({.level = Level::Phase,
                           .step = found_.step,
                           .micro_batch = found_.micro_batch,
                           .phase = named.phase,
                           .row = row,
                           .col = col});
}

void InPhase::note() {
  if (!found_.notes.empty()) return;  // the first one is enough
  Finding differs;
  if (first_message(of(a_, 0, 0).messages, of(b_, 0, 0).messages, differs))
    found_.notes.push_back(
        fmt::format("{} of {} differs before: {}\n        |  {}", differs.place, found_.phase, differs.a, differs.b));
}

bool InPhase::stream() {
  found_.kind = Kind::Stream;
  first_message(of(a_, 0, 0).messages, of(b_, 0, 0).messages, found_);
  return true;
}

bool InPhase::returned() {
  found_.kind = Kind::Returned;
  const Phase a = of(a_, 0, 0), b = of(b_, 0, 0);
  for (std::size_t r = 0; r < a.returned.size(); ++r) {
    if (!first_message(a.returned[r], b.returned[r], found_)) continue;
    found_.place = fmt::format("row {}, {}", r, found_.place);
    break;
  }
  return true;
}

bool InPhase::memory(const PhaseSums& x, const PhaseSums& y, int cols, std::ostream& progress) {
  found_.kind = Kind::Tile;
  std::vector<int> differ, others;
  for (int t = 0; t < static_cast<int>(x.tiles.size()); ++t)
    if (x.tiles[static_cast<std::size_t>(t)] != y.tiles[static_cast<std::size_t>(t)]) differ.push_back(t);
  progress << fmt::format("phases  the same up to micro-batch {}, {}: the memory of {} of {} tiles differs\n",
                          found_.micro_batch, found_.phase, differ.size(), x.tiles.size())
           << std::flush;
  const int t0 = differ[0];
  for (int t = 0; t < static_cast<int>(x.tiles.size()); ++t)
    if ((t % cols == t0 % cols || t / cols == t0 / cols) && std::ranges::find(differ, t) == differ.end())
      others.push_back(t);
  std::ranges::stable_sort(others, {}, [&](int t) { return std::abs(t % cols - t0 % cols) * 1024 + std::abs(t - t0); });
  differ.insert(differ.end(), others.begin(), others.end());
  differ.resize(std::min<std::size_t>(differ.size(), kMostTiles));
  Finding first;
  for (const int t : differ) {
    const Finding here = tile_event(t / cols, t % cols);
    if (here.place.empty()) continue;
    const bool follows = here.place.starts_with("takes");
    if (first.place.empty() || !follows) first = here;
    if (!follows) break;
  }
  if (!first.place.empty()) {
    found_ = std::move(first);
  } else {  // a side is not deterministic
    found_.row = t0 / cols;
    found_.col = t0 % cols;
    found_.notes.emplace_back("no difference was found when the tiles were recorded: a side is not deterministic");
  }
  return true;
}

Finding InPhase::tile_event(int row, int col) const {
  Finding here = found_;
  here.row = row;
  here.col = col;
  const Phase a = of(a_, row, col), b = of(b_, row, col);
  // Memory is loaded with commands; what matters is the resulting content.
  const bool loads = found_.phase == "load" || found_.phase == "tokens";
  if (!loads && first_event(a, b, here)) return here;
  if (first_element(a, b, here) && !loads)
    here.notes.emplace_back(
        "the RTL writes the same from the states of both sides: the functional model or the edge of the wafer differs");
  return here;
}

void InPhase::place(int tile, int cols) {
  found_.kind = Kind::Tile;
  found_.row = tile / cols;
  found_.col = tile % cols;
}

bool InPhase::flags(const PhaseSums& x, const PhaseSums& y, int cols) {
  const int tile = first_tile(x.flags, y.flags);
  place(tile, cols);
  found_.place = "sticky flags";
  found_.a = x.flags[static_cast<std::size_t>(tile)];
  found_.b = y.flags[static_cast<std::size_t>(tile)];
  return true;
}

bool InPhase::routes(const PhaseSums& x, const PhaseSums& y, int cols) {
  place(first_tile(x.routes, y.routes), cols);
  first_message(of(a_, found_.row, found_.col).routes, of(b_, found_.row, found_.col).routes, found_);
  found_.place = "routes";
  return true;
}

}  // namespace weft::inspect::bisect
