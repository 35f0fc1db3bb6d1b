#include "sw/compiler/placement/row_constants.hpp"

namespace weft::compiler {

std::vector<RowConstants> row_constants(const ModelShape& model, const machine::WaferShape& wafer, const Spaces& s) {
  const int dim = model.hidden / model.heads, spread = rows_per_head(model.heads, dim, wafer.rows, model.head_unit());
  std::vector<RowConstants> rows;
  for (int r = 0; r < wafer.rows; ++r) {
    const int features = s.head.count(r), first = r / spread * spread;
    const int heads = spread > 1 ? (features > 0) : features / dim;
    const int pairs = model.rotary_dim / 2 - r % spread;  // every spread-th from there
    const auto word = [](int value) { return static_cast<std::uint16_t>(value); };
    rows.push_back({.words = {word(s.hidden.count(r)), word(s.filter.count(r)), word(s.vocab.count(r)), word(heads),
                              word(spread > 1 ? features : dim), word(spread > 1 ? first : r),
                              word(spread > 1 ? first + spread - 1 : r), word(r << wafer.row_shift())},
                    .rotary_pairs = word(pairs > 0 ? (pairs + spread - 1) / spread : 0)});
  }
  return rows;
}

}  // namespace weft::compiler
