/// Sizes of attention whose rows share the keys (docs/explanation/attention_rows.md, Rows share keys).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "sw/compiler/model/model_shape.hpp"
#include "sw/compiler/placement/row_constants.hpp"
#include "sw/machine/shape.hpp"

namespace weft::compiler {

/// The rows of a head's group form `query_parts` parts of `key_rows` rows. The rows of a part have the same queries,
/// `part_beats` beats of them, and `keys` keys of the column each, which visit the other columns in sets of `set`.
struct SharedAttention {
  int query_parts = 1, key_rows = 1;
  int keys = 1, set = 1, part_beats = 1;
  int features = 1;        ///< of a head
  int record = 0;          ///< elements of a key: its features, padded, and LANES more
  int least_features = 0;  ///< of a head in a row; the first `full_rows` rows of a group have `unit` more
  int full_rows = 1, unit = 1;

  int sets() const { return keys / set; }
  int slice() const { return set * record; }  ///< elements of a turn's visitors
  /// Elements of a row's scores of a sequence over `columns` columns.
  std::int64_t scores(int columns, int lanes) const { return std::int64_t{columns} * keys * part_beats * lanes; }
  /// Entries of a row's own features of an array, for all tokens of a column, `beats`.
  int own_entries(int beats) const { return (least_features + unit) * beats; }
  /// Entries of the sums of a row's own features, for all queries of a column.
  int home_entries() const { return (least_features + unit) * query_parts * part_beats; }
  int slice_beats(const machine::WaferShape& wafer) const { return slice() / wafer.lanes; }
};

/// Values of a query that are stored behind its features: its maximum, 1 / sum, and D.
constexpr int kShareValues = 3;

/// The form with the fewest products, in which all parts have all keys of the column; none if the accumulator file has
/// no room for any, if a head has a row of its own, a sequence one column, or the model documents. `padded_seq`: tokens
/// of a sequence in a column.
std::optional<SharedAttention> shared_attention(const ModelShape& model, const machine::WaferShape& wafer,
                                                int padded_seq);

/// The most turns of a batch for which `elements` elements of visitors, twice, and the accumulator file have room; 0 if
/// none.
int batch_turns(const SharedAttention& form, const machine::WaferShape& wafer, std::int64_t elements);

/// Constants of the row at `position` in its group, which has `own` features of the head.
std::array<std::uint16_t, kShareConstants> share_constants(const SharedAttention& form,
                                                           const machine::WaferShape& wafer, int padded_seq,
                                                           int position, int own);

/// For the scores of a row's queries (lanes) with its own keys, [keys][queries]: 1.0 for queries before the key; or,
/// for its keys in lanes with its own queries, for keys behind the query.
std::vector<int> own_mask(const SharedAttention& form, const machine::WaferShape& wafer,
                          const std::array<std::uint16_t, kShareConstants>& row, bool back);

}  // namespace weft::compiler
