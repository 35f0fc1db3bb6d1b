/// Prints a profile to a terminal.
#pragma once

#include <iosfwd>

#include "host/inspect/profile/profile.hpp"

namespace weft::inspect::profile {

/// Prints phases by kind: cycles, share, the percentage of each stall reason for both threads, and the bound.
void print_table(const Profile& profile, std::ostream& out);
/// Prints a map of the mesh for each kind of phase: the fraction of cycles in which the vector unit of each tile got a
/// beat. `colors`: use ANSI colors.
void print_heat(const Profile& profile, bool colors, std::ostream& out);
/// Prints the three largest losses.
void print_losses(const Profile& profile, std::ostream& out);

/// Color of a fraction 0..1, components 0..255.
struct Color {
  int red, green, blue;
};
Color heat_color(double part);

}  // namespace weft::inspect::profile
