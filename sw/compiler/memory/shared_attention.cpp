#include "sw/compiler/memory/shared_attention.hpp"

#include <algorithm>
#include <utility>

#include "sw/base/bf16.hpp"
#include "sw/compiler/placement/space.hpp"

namespace weft::compiler {
namespace {

constexpr int kDepth = machine::WaferShape::kRDepth;

int rounded_up(int number, int unit) { return (number + unit - 1) / unit * unit; }

/// Chooses the largest sets of keys for which the accumulator file has room: it holds a row's sums with a turn's
/// visitors on their way, or with the sums of the row's own features; a value of each query of the column besides those
/// of the row; and the row's own features of an array. Rows behind the parts need as much again as a part, for sums and
/// values that are not used. Returns false if there is no room for any.
bool choose_set(SharedAttention& form, const machine::WaferShape& wafer, int beats) {
  const int sums = form.features * form.part_beats, home = form.home_entries() / form.query_parts;
  if (sums + home * (form.query_parts + 1) > kDepth || 2 * form.part_beats + beats > kDepth ||
      form.own_entries(beats) > kDepth)
    return false;
  for (form.set = form.keys; form.set > 0; --form.set)
    if (form.keys % form.set == 0 && sums + form.slice_beats(wafer) <= kDepth && batch_turns(form, wafer, 1 << 16) > 0)
      return true;
  return false;
}

}  // namespace

std::optional<SharedAttention> shared_attention(const ModelShape& m, const machine::WaferShape& w, int padded_seq) {
  const int unit = m.head_unit(), dim = m.hidden / m.heads, group = rows_per_head(m.heads, dim, w.rows, unit);
  if (group == 1 || w.sequence_columns < 2 || m.has_documents() || dim < 2) return std::nullopt;
  const int units = dim / unit, beats = padded_seq / w.lanes;
  SharedAttention form;
  form.features = dim, form.unit = unit;
  form.record = rounded_up(dim, w.lanes) + w.lanes;
  form.full_rows = units % group == 0 ? group : units % group;
  form.least_features = ((units + group - 1) / group - 1) * unit;
  std::optional<SharedAttention> best;
  for (int parts = 1; parts <= std::min(beats, group); ++parts) {
    if (beats % parts != 0) continue;
    form.query_parts = parts, form.part_beats = beats / parts;
    form.keys = 1;
    while (padded_seq % form.keys != 0 || padded_seq / form.keys > group / parts) ++form.keys;
    form.key_rows = padded_seq / form.keys;
    if (!choose_set(form, w, beats)) continue;
    if (!best || form.keys * form.part_beats < best->keys * best->part_beats) best = form;
  }
  return best;
}

int batch_turns(const SharedAttention& form, const machine::WaferShape& w, std::int64_t elements) {
  const int room = kDepth - form.slice_beats(w);
  return static_cast<int>(
      std::min<std::int64_t>({w.sequence_columns, room / (form.set * form.part_beats), elements / 2 / form.slice()}));
}

std::array<std::uint16_t, kShareConstants> share_constants(const SharedAttention& form, const machine::WaferShape& w,
                                                           int padded_seq, int position, int own) {
  const int part = std::min(position / form.key_rows, form.query_parts);
  const bool works = part < form.query_parts;
  const int above = position * form.least_features + std::min(position, form.full_rows) * form.unit,
            mine = own * form.part_beats;
  const std::pair<ShareConstant, int> values[] = {{kShareKey, works ? position % form.key_rows * form.keys : 0},
                                                  {kShareQueries, works ? part * form.part_beats * w.lanes : 0},
                                                  {kShareAmong, form.part_beats + part * form.part_beats},
                                                  {kShareFirst, above * padded_seq},
                                                  {kShareEnd, (above + own) * padded_seq},
                                                  {kShareBehind, (form.features - above - own) * padded_seq},
                                                  {kShareOwn, own * padded_seq / w.lanes},
                                                  {kShareMine, mine},
                                                  {kShareBefore, above * form.part_beats},
                                                  {kShareRest, (form.features - above - own) * form.part_beats},
                                                  {kSharePosition, position},
                                                  {kShareHome, form.features * form.part_beats + part * mine}};
  std::array<std::uint16_t, kShareConstants> row{};
  for (const auto& [constant, value] : values) row[constant] = static_cast<std::uint16_t>(value);
  return row;
}

std::vector<int> own_mask(const SharedAttention& form, const machine::WaferShape& w,
                          const std::array<std::uint16_t, kShareConstants>& row, bool back) {
  std::vector<int> mask;
  for (int visitor = row[kShareKey]; visitor < row[kShareKey] + form.keys; ++visitor)
    for (int lane = row[kShareQueries]; lane < row[kShareQueries] + form.part_beats * w.lanes; ++lane)
      mask.push_back((back ? lane > visitor : lane < visitor) ? kOneBf16 : 0);
  return mask;
}

}  // namespace weft::compiler
