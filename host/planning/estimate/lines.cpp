#include "host/planning/estimate/lines.hpp"

namespace weft {

bool SweepLines::next() {
  if (!reader_.next()) return false;
  reader_.dealt(taps_);
  rows_.clear();
  for (const Tap& tap : taps_) rows_.push_back(tap.row);
  return true;
}

std::size_t SweepLines::count(const Sweep& sweep) {
  if (sweep.empty()) return 0;
  const int outputs =
      sweep.own.empty() ? sweep.outputs->features() : (sweep.outputs->slots() + sweep.together - 1) / sweep.together;
  return static_cast<std::size_t>(outputs) * static_cast<std::size_t>(sweep.lines_of_output());
}

std::vector<int> homes_of(const Sweep& sweep) {
  std::vector<int> homes;
  for (int r = 0; r < sweep.outputs->rows(); ++r) homes.push_back(sweep.outputs->count(r));
  return homes;
}

}  // namespace weft
