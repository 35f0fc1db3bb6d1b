/// Numbers of a descriptor's elements, row by row.
#pragma once

#include <cstdint>
#include <vector>

#include "sw/compiler/stream/group_size.hpp"
#include "sw/compiler/stream/stream_descriptor.hpp"

namespace weft::compiler {

struct StreamCounts {
  /// Takes time proportional to the outputs if all elements exist, else to the elements.
  explicit StreamCounts(const StreamDescriptor& descriptor);

  std::vector<std::uint32_t> elements;  ///< [row]: weights or indices of all outputs
  std::uint64_t lines = 0;
  IndexCounts fullest;  ///< numbers of lines, by the elements of their fullest row
};

}  // namespace weft::compiler
