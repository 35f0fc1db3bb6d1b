/// A small chart of curves and points as SVG.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace weft::bench {

struct Series {
  std::string name, color;  ///< name in the legend, if not empty; CSS color
  bool line = false;        ///< drawn as a line, else as points
  bool filled = true;       ///< for points only
  std::vector<std::pair<double, double>> at;
};

struct Axis {
  std::string label;
  double first = 0, last = 1;
  bool logarithmic = false;
  std::vector<std::pair<double, std::string>> ticks;  ///< position and label

  /// Position of a value on the axis: 0 at `first`, 1 at `last`.
  double share(double value) const;
};

struct Chart {
  Axis x, y;
  bool legend_above = false;   ///< legend in the upper left corner, else in the lower right
  std::vector<Series> series;  ///< drawn in this order

  std::string svg() const;
};

}  // namespace weft::bench
