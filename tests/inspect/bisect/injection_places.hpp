/// Places to inject differences.
#pragma once

#include <algorithm>
#include <stdexcept>

#include "sw/compiler/plan/plan.hpp"

namespace weft::inspect::bisect {

inline bool is(const machine::Message& m, machine::Command code) {
  return m.ctrl && m.data >> 24 == static_cast<unsigned>(code);
}

/// Index of the first message of a load that satisfies `wanted`.
template <class Wanted>
std::size_t find_load(const compiler::Plan& plan, Wanted wanted) {
  const auto at = std::ranges::find_if(plan.load, wanted);
  if (at == plan.load.end()) throw std::invalid_argument("no such message");
  return static_cast<std::size_t>(at - plan.load.begin());
}

/// Index of the n-th weight in a stream.
inline std::size_t weight_of(const std::vector<compiler::StreamEntry>& stream, std::size_t n) {
  for (std::size_t i = 0; i < stream.size(); ++i)
    if (stream[i].source < compiler::StreamEntry::kLiteral && n-- == 0) return i;
  throw std::invalid_argument("no such weight");
}

}  // namespace weft::inspect::bisect
