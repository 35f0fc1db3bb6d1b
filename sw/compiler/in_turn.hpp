/// Arrays that share memory because none is needed while another is.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sw/compiler/graph.hpp"

namespace weft {

/// When an array is in use: from a step that makes it to the last one before it is made again.
struct InTurn {
  std::string name;
  std::int64_t elements = 0;
  struct Time {
    std::size_t first, last;  ///< steps
  };
  std::vector<Time> times;
  std::int64_t at = 0;  ///< from the beginning of what they share

  /// The step uses it.
  void use(std::size_t step, bool makes);
  bool meets(const InTurn& other) const;
};

/// Gives each the lowest place where no other is at the same time, in their order. Returns the elements they take.
std::int64_t place_in_turn(std::vector<InTurn>& arrays);

}  // namespace weft
