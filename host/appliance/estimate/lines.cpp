#include "host/appliance/estimate/lines.hpp"

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
  if (!sweep.own.empty()) return static_cast<std::size_t>(sweep.outputs->slots());
  return static_cast<std::size_t>(sweep.outputs->features()) * sweep.lines.size();
}

std::vector<int> homes_of(const Sweep& sweep) {
  std::vector<int> homes;
  for (int r = 0; r < sweep.outputs->rows(); ++r) homes.push_back(sweep.outputs->count(r));
  return homes;
}

}  // namespace weft
