/// A small chart of curves and points as SVG.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace weft::bench {

struct Series {
  std::string name, color;  ///< of the legend, where there is a name; as in CSS
  bool line = false;        ///< else points
  bool filled = true;       ///< points only
  std::vector<std::pair<double, double>> at;
};

struct Axis {
  std::string label;
  double first = 0, last = 1;
  bool logarithmic = false;
  std::vector<std::pair<double, std::string>> ticks;  ///< where, and what is written there

  /// 0 at `first`, 1 at `last`.
  double share(double value) const;
};

struct Chart {
  Axis x, y;
  bool legend_above = false;   ///< in the left upper corner, else in the right lower one
  std::vector<Series> series;  ///< drawn in this order

  std::string svg() const;
};

}  // namespace weft::bench
