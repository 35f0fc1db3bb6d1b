/// Computed parts of docs/scaling.md: its tables, by section name, and its chart.
#pragma once

#include <map>
#include <string>

#include "bench/figure7.hpp"

namespace weft::bench {

struct ScalingPage {
  std::map<std::string, std::string> sections;
  std::string figure7;  ///< SVG
};

/// Takes half a minute; runs no measurements.
ScalingPage scaling_page(const DrawnSystem& system = {});

}  // namespace weft::bench
