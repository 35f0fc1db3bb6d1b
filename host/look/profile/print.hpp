/// A profile for a terminal.
#pragma once

#include <iosfwd>

#include "host/look/profile/profile.hpp"

namespace weft::profile {

/// Phases by kind: cycles, share, each cause in percent for both threads, what bounds it.
void print_table(const Profile& profile, std::ostream& out);
/// A map of the mesh for each kind of phase: of how many cycles the vector unit of each tile got a beat. `colors`:
/// ANSI's.
void print_heat(const Profile& profile, bool colors, std::ostream& out);
/// The three largest losses.
void print_losses(const Profile& profile, std::ostream& out);

/// 0..255 red, green, blue of a part, 0..1.
struct Color {
  int red, green, blue;
};
Color heat_color(double part);

}  // namespace weft::profile
