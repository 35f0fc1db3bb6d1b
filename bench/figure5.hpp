/// Figure 5 of the text that Weft is built from: how sparsity becomes speed, by the width of the layer.
#pragma once

#include <string>
#include <vector>

namespace weft::bench {

/// Of the ops of a transformer block, dense over sparse cycles.
struct SpeedUp {
  int hidden = 0;
  double sparsity = 0;
  double estimated = 0;  ///< as compile_only expects it
  double rtl = 0;        ///< as the RTL counts it; 0: not measured
};

/// Widths 64, 128 ... on one mesh; sparsities from none to 99 %. Takes minutes.
std::vector<SpeedUp> figure5_points();
/// The picture, as SVG: speed-up over 1 / (1 - sparsity), both logarithmic.
std::string figure5_picture(const std::vector<SpeedUp>& points);

}  // namespace weft::bench
