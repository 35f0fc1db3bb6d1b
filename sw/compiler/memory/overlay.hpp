/// Arrays that share memory because they are in use at different times.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sw/compiler/graph/graph.hpp"

namespace weft::compiler {

/// An array and the times of its use: each from a step that makes it to the last step before it is made again.
struct Overlaid {
  std::string name;
  std::int64_t elements = 0;
  struct Time {
    std::size_t first, last;  ///< steps
  };
  std::vector<Time> times;
  std::int64_t at = 0;  ///< offset in the shared region

  /// Adds a use by a step.
  void use(std::size_t step, bool makes);
  bool overlaps(const Overlaid& other) const;
};

/// Gives each array, in order, the lowest place that no other occupies at the same time. Returns the elements of the
/// shared region.
std::int64_t place_overlays(std::vector<Overlaid>& arrays);

}  // namespace weft::compiler
