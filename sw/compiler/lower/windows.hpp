/// Grouping of a kernel's arrays by the base registers that reach them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace weft::compiler {

/// An array to which weights refer: the address of its slot 0, and its number of slots.
struct Reached {
  int address;
  int slots;
};

/// Consecutive arrays of a list, all reached from `base`.
struct Window {
  int base;
  std::size_t first, count;
  bool has(std::size_t array) const { return array >= first && array < first + count; }
};

/// Divides the list, in its order, into the fewest windows in which every slot is a multiple of `tokens` elements above
/// the base, and less than `places` multiples. A single array must fit.
std::vector<Window> windows(std::span<const Reached> arrays, int tokens, int places);

}  // namespace weft::compiler
