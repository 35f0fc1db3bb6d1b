/// Which of a kernel's arrays one base register reaches.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace weft {

/// An array that weights name: where its slot 0 is, and how many slots it has.
struct Reached {
  int address;
  int slots;
};

/// Neighbours in a list of arrays, all reached from `base`.
struct Window {
  int base;
  std::size_t first, count;
  bool has(std::size_t array) const { return array >= first && array < first + count; }
};

/// Parts the list, in its order, into as few windows as that takes: in each, every slot is a whole number of times
/// `tokens` elements above the base, and less than `places` times. An array alone must fit.
std::vector<Window> windows(std::span<const Reached> arrays, int tokens, int places);

}  // namespace weft
