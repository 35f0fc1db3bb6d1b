#include "sw/compiler/plan/symbols.hpp"

#include <algorithm>

namespace weft::compiler {

const ArraySymbol* find_symbol(const std::vector<ArraySymbol>& symbols, std::string_view name) {
  const auto at = std::ranges::find(symbols, name, &ArraySymbol::name);
  return at == symbols.end() ? nullptr : &*at;
}

}  // namespace weft::compiler
