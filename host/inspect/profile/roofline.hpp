/// Roofline: multiply-adds per cycle against their bounds, the lanes and the message rate of the valves.
#pragma once

#include <string>
#include <vector>

#include "host/inspect/profile/profile.hpp"

namespace weft::inspect::profile {

struct RooflinePoint {
  std::string name;
  double intensity = 0;  ///< multiply-adds per message into the wafer
  double rate = 0;       ///< multiply-adds per cycle of the whole wafer
};

struct Roofline {
  double lanes = 0;                   ///< maximum multiply-adds per cycle of all tiles
  double valves = 0;                  ///< maximum messages per cycle
  std::vector<RooflinePoint> points;  ///< kinds of phases that multiply

  double ceiling(double intensity) const;
};

Roofline roofline(const Profile& profile);
/// Draws the roofline in characters, with logarithmic axes, a letter for each point, and a legend.
std::string draw(const Roofline& roofline);

}  // namespace weft::inspect::profile
