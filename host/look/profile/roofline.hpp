/// Multiply-adds a cycle against what bounds them: the lanes, and the messages that the valves let in.
#pragma once

#include <string>
#include <vector>

#include "host/look/profile/profile.hpp"

namespace weft::profile {

struct RooflinePoint {
  std::string name;
  double intensity = 0;  ///< multiply-adds for each message in
  double rate = 0;       ///< multiply-adds a cycle, of the whole wafer
};

struct Roofline {
  double lanes = 0;                   ///< of all tiles: multiply-adds a cycle at most
  double valves = 0;                  ///< messages a cycle at most
  std::vector<RooflinePoint> points;  ///< kinds of phases that multiply

  double ceiling(double intensity) const;
};

Roofline roofline(const Profile& profile);
/// In characters, both axes logarithmic; a letter for each point, and what it stands for.
std::string draw(const Roofline& roofline);

}  // namespace weft::profile
