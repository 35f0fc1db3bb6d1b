#include "sw/compiler/lower/shared_overlaps.hpp"

namespace weft::compiler {
namespace {

constexpr int kSharedDepth = machine::WaferShape::kRDepth;

}  // namespace

SharedOverlaps shared_overlaps(const MemoryPlan& memory, const machine::WaferShape& wafer) {
  const SharedAttention& form = *memory.shared;
  if (memory.one_shared_array()) return {};
  const int beats = memory.padded_seq / wafer.lanes, record = form.record / wafer.lanes;
  const int home = form.home_entries() / form.query_parts;  // rows behind the parts have one more
  SharedOverlaps overlaps;
  overlaps.records_with_array = form.own_entries(beats) + record <= kSharedDepth;
  overlaps.exchange_with_scores = memory.turns_at_once * form.set * form.part_beats <= own_features_at(memory, wafer);
  overlaps.records_with_maxima =
      overlaps.exchange_with_scores && 2 * form.part_beats + beats + form.slice_beats(wafer) <= kSharedDepth;
  overlaps.records_with_totals =
      form.features * form.part_beats + home * (form.query_parts + 1) + record <= kSharedDepth;
  return overlaps;
}

int own_features_at(const MemoryPlan& memory, const machine::WaferShape& wafer) {
  return kSharedDepth - memory.shared->slice_beats(wafer) - memory.shared->own_entries(memory.padded_seq / wafer.lanes);
}

int visitor_batches(const MemoryPlan& memory) {
  return (memory.parts + memory.turns_at_once - 1) / memory.turns_at_once;
}

}  // namespace weft::compiler
