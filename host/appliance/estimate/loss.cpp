#include "host/appliance/estimate/loss.hpp"

#include <algorithm>

namespace weft {
namespace {

constexpr double kCall = 330;   // what is done once
constexpr double kResult = 8;   // a result, until the next instruction reads it
constexpr double kHop = 28;     // of an all-reduce: a row, down and up again
constexpr double kFeature = 6;  // the scalar instructions for a label

}  // namespace

double loss_cycles(const WaferShape& wafer, int tokens, int features) {
  const double vector = static_cast<double>(tokens) / wafer.lanes, waits = std::max(vector, kResult);
  const auto over_rows = [&](double words) { return wafer.rows > 1 ? 2 * words + kHop * wafer.rows : 0; };
  const double maxima = features * waits, sums = features * waits;
  const double labels = features * (waits + vector + kFeature);
  const double exp = features * vector * std::max(1, wafer.lanes / 2);
  const double words = 2.0 * wafer.cols * tokens;  // of the outlet
  return kCall + maxima + labels + exp + sums + over_rows(tokens) + over_rows(2.0 * tokens) + words;
}

}  // namespace weft
