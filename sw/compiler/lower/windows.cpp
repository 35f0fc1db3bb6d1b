#include "sw/compiler/lower/windows.hpp"

#include <algorithm>

namespace weft::compiler {
namespace {

bool reached_together(std::span<const Reached> arrays, int tokens, int places) {
  const int base = std::ranges::min_element(arrays, {}, &Reached::address)->address;
  return std::ranges::all_of(arrays, [&](const Reached& array) {
    const int above = array.address - base;
    return above % tokens == 0 && above / tokens + array.slots <= places;
  });
}

}  // namespace

std::vector<Window> windows(std::span<const Reached> arrays, int tokens, int places) {
  std::vector<Window> list;
  for (std::size_t first = 0; first < arrays.size(); first += list.back().count) {
    std::size_t count = 1;
    while (first + count < arrays.size() && reached_together(arrays.subspan(first, count + 1), tokens, places)) ++count;
    const auto own = arrays.subspan(first, count);
    list.push_back({std::ranges::min_element(own, {}, &Reached::address)->address, first, count});
  }
  return list;
}

}  // namespace weft::compiler
