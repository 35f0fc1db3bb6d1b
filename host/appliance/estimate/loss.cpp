#include "host/appliance/estimate/loss.hpp"

#include <algorithm>

#include "host/appliance/estimate/all_reduce.hpp"
#include "host/appliance/estimate/table.hpp"

namespace weft {
namespace {

constexpr double kCall = 330;             // what is done once
constexpr double kSum = 7;                // a sum, until it can be added to again
constexpr double kResult = 8;             // a result, until the next instruction reads it
constexpr double kLabel = 14, kNext = 4;  // the instructions for a label, and those that its beats do not hide

}  // namespace

double loss_cycles(const WaferShape& wafer, int tokens, int features) {
  const double vector = static_cast<double>(tokens) / wafer.lanes;
  const double maxima = features * std::max(vector, kSum), sums = maxima;
  const double labels = features * std::max(kLabel, std::max(vector, kResult) + vector + kNext);
  const double exp = features * vector * table_cycles(wafer);
  const double words = 2.0 * wafer.cols * tokens;  // of the outlet
  return kCall + maxima + labels + exp + sums + all_reduce_cycles(wafer, tokens) +
         all_reduce_cycles(wafer, 2 * tokens) + words;
}

}  // namespace weft
