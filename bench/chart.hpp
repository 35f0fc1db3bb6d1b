/// A small chart of curves and points as SVG: x in powers of two, y from 0 to 1.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace weft::bench {

struct Series {
  std::string name, color;  ///< of the legend; as in CSS
  bool line = false;        ///< else points
  bool filled = true;       ///< points only
  std::vector<std::pair<double, double>> at;
};

struct Chart {
  std::string x_label, y_label;
  int first_power = 0, last_power = 1;  ///< x from 2^first to 2^last
  std::vector<Series> series;           ///< drawn in this order

  std::string svg() const;
};

}  // namespace weft::bench
