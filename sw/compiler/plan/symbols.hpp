/// The arrays of a PE's memory by name, for debuggers and reports.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weft::compiler {

/// [slots][width] bf16 from `address` on. Arrays of different names may share a place, if used at different times.
struct ArraySymbol {
  std::string name;  ///< "residual", "h.0.q"
  int address = 0;   ///< element
  int slots = 1;
  int width = 0;  ///< elements of a slot: a column's tokens, or a sequence's
};

/// Returns null if no array has this name.
const ArraySymbol* find_symbol(const std::vector<ArraySymbol>& symbols, std::string_view name);

}  // namespace weft::compiler
