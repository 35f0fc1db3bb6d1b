/// What is computed for docs/scaling.md: its tables, by the name of their place, and its picture.
#pragma once

#include <map>
#include <string>

#include "bench/figure7.hpp"

namespace weft::bench {

struct ScalingPage {
  std::map<std::string, std::string> sections;
  std::string figure7;  ///< SVG
};

/// Takes half a minute; nothing is measured.
ScalingPage scaling_page(const DrawnSystem& system = {});

}  // namespace weft::bench
