/// Reproduces figure 5 of M. James, "Scaling Up and Out" (Cerebras, 2021): speed-up from sparsity, by the width of the
/// layer.
#pragma once

#include <string>
#include <vector>

namespace weft::bench {

/// Speed-up of the ops of a transformer block: dense over sparse cycles.
struct SpeedUp {
  int hidden = 0;
  double sparsity = 0;
  double estimated = 0;  ///< as predicted by compile_only
  double rtl = 0;        ///< as counted by the RTL; 0: not measured
};

/// Points for widths 64, 128 ... on one mesh, and sparsities from none to 99 %. Takes minutes.
std::vector<SpeedUp> figure5_points();
/// The chart as SVG: speed-up over 1 / (1 - sparsity), both logarithmic.
std::string figure5_picture(const std::vector<SpeedUp>& points);

}  // namespace weft::bench
