#include <algorithm>
#include <utility>

#include "sw/compiler/operations/attention.hpp"

namespace weft::compiler {

void AttentionLowering::shared_scores(std::vector<HeadCall>& calls, VisitorBuffers& buffers, std::string_view kernel,
                                      int x, int own, int next) const {
  const SharedAttention& form = *memory_.shared;
  const auto scores = static_cast<int>(form.scores(memory_.parts, wafer_.lanes)) / form.sets();
  for (int set = 0; set < form.sets(); ++set) {
    const int from = own + set * form.slice(), then = set + 1 < form.sets() ? from + form.slice() : next;
    calls.push_back({kernel, {}, buffers.arguments(from)});
    calls.back().others.insert(calls.back().others.end(),
                               {{"x", x}, {"p", memory_.probs + set * scores}, {"next", then}});
    buffers.take(1, then != 0);
  }
}

AttentionLowering::HeadCall AttentionLowering::shared_sum(VisitorBuffers& buffers, int own, int dst, int factor,
                                                          int next, bool makes_records) const {
  HeadCall call{"share_sum", {{"dst", dst}}, buffers.arguments(own)};
  call.others.insert(call.others.end(), {{"matrix", memory_.probs},
                                         {"next", own + memory_.shared->slice()},
                                         {"last", next},
                                         {"factor", factor},
                                         {"records", makes_records ? 1 : 0}});
  buffers.take(memory_.shared->sets(), next != 0);
  return call;
}

std::vector<AttentionLowering::HeadCall> AttentionLowering::shared_probs(const network::NetworkOperation& from,
                                                                         VisitorBuffers& buffers) const {
  const MemoryPlan& m = memory_;
  const SharedOverlaps overlaps = shared_overlaps(m, wafer_);
  std::vector<HeadCall> calls = {share(address(from.in[1]), m.shared_k)};
  if (!overlaps.records_with_array) calls.push_back(records(m.shared_k, m.records_k));
  calls.push_back(share(address(from.in[0]), m.shared_q, m.shared_k, overlaps.records_with_array ? m.records_k : 0));
  shared_scores(calls, buffers, "share_scores", m.shared_q, m.records_k, 0);
  if (overlaps.exchange_with_scores) {
    HeadCall& scores = calls.back();
    scores.kernel = "share_scores_beside";
    scores.arrays = {{"src", address(from.in[2])}};
    scores.others.insert(scores.others.end(), {{"dst", m.shared_v}, {"at", own_features_at(m, wafer_)}});
  }
  calls.push_back(
      {"share_probs",
       {},
       {{"value", nearest_bf16(-1e30)}, {"open", kOneBf16}, {"step", kOneBf16 ^ 0x8000}, {"mask", m.own_mask}}});
  if (!overlaps.exchange_with_scores) calls.push_back(share(address(from.in[2]), m.shared_v));
  overlaps.records_with_maxima ? buffers.gather() : calls.push_back(records(m.shared_v, m.records_v));
  return calls;
}

std::vector<AttentionLowering::HeadCall> AttentionLowering::shared_forward(
    const network::NetworkOperation& from) const {
  VisitorBuffers buffers(memory_);
  std::vector<HeadCall> calls = shared_probs(from, buffers);
  calls.push_back(shared_sum(buffers, memory_.records_v, address(from.out[0]), kOneBf16, 0, false));
  return calls;
}

/// First with keys that visit queries, for dq, then with queries that visit keys, for dk and dv. The records of q have
/// the maximum and 1 / sum of each query, those of dout have D. If all arrays are one, q, k and v are exchanged again.
std::vector<AttentionLowering::HeadCall> AttentionLowering::shared_input_gradient(
    const network::NetworkOperation& from) const {
  const MemoryPlan& m = memory_;
  const int scale = score_scale(model_);
  const bool records_early = shared_overlaps(m, wafer_).records_with_totals;
  VisitorBuffers buffers(m);
  std::vector<HeadCall> calls = shared_probs(from, buffers);
  const auto then = [&](const HeadCall& call) { calls.push_back(call); };
  const auto again = [&](int array, int shared) {
    if (m.one_shared_array()) then(share(array, shared));
  };
  then(share(gradient_address(from.out[0]), m.shared_dout));
  then({"share_delta", {{"out", address(from.out[0])}, {"dout", gradient_address(from.out[0])}}, {}});
  shared_scores(calls, buffers, "share_own_derivatives", m.shared_dout, m.records_v, m.records_k);
  if (!records_early) then(records(m.shared_dout, m.records_v));
  then(shared_sum(buffers, m.records_k, gradient_address(from.in[0]), scale, 0, records_early));
  again(address(from.in[0]), m.shared_q);
  if (!records_early) then(records(m.shared_q, m.records_k));
  again(address(from.in[1]), m.shared_k);
  shared_scores(calls, buffers, "share_weights", m.shared_k, m.records_k, m.records_v);
  then({"share_mask", {}, {{"value", 0}, {"open", 0}, {"step", kOneBf16}, {"own", m.own_mask_back}}});
  then(shared_sum(buffers, m.records_v, gradient_address(from.in[2]), kOneBf16, m.records_v, false));
  again(address(from.in[2]), m.shared_v);
  shared_scores(calls, buffers, "share_derivatives", m.shared_v, m.records_v, m.records_k);
  then(shared_sum(buffers, m.records_k, gradient_address(from.in[1]), scale, 0, false));
  return calls;
}

void AttentionLowering::shared_constants(assembler::Constants& constants, const KernelShape& shape) {
  const auto& [model, wafer, spaces, memory] = shape;
  const SharedAttention& form = *memory.shared;
  const int batches = visitor_batches(memory), scores = static_cast<int>(form.scores(memory.parts, wafer.lanes));
  VisitorBuffers buffers(memory);
  buffers.take(form.sets(), false);  // of the scores of q and k
  constants.insert({{"PARTS", wafer.sequence_columns},
                    {"PLACE", memory.place},
                    {"CLOSED", memory.closed},
                    {"VISITORS", memory.visitors},
                    {"LINK_BEATS", std::max(1, kLinkWords / wafer.lanes)},
                    {"SHARED_Q", memory.shared_q},
                    {"SHARED_V", memory.shared_v},
                    {"SHARED_DOUT", memory.shared_dout},
                    {"RECORDS_K", memory.records_k},
                    {"RECORDS_V", memory.records_v},
                    {"V_FIRST", shared_overlaps(memory, wafer).records_with_maxima ? buffers.next() : 0},
                    {"QUERY_PARTS", form.query_parts},
                    {"KEY_ROWS", form.key_rows},
                    {"OWN_KEYS", form.keys},
                    {"KEY_SETS", form.sets()},
                    {"KEYS", form.set},
                    {"SCORES", scores},
                    {"SET_SCORES", scores / form.sets()},
                    {"D_ROW", wafer.lanes < kShareValues ? 0 : kShareValues - 1},
                    {"PART_BEATS", form.part_beats},
                    {"PART", form.part_beats * wafer.lanes},
                    {"HEAD_FEATURES", form.features},
                    {"RECORD", form.record},
                    {"RECORD_BEATS", form.record / wafer.lanes},
                    {"SLICE_BEATS", form.slice_beats(wafer)},
                    {"SHARE_TRAVEL", machine::WaferShape::kRDepth - form.slice_beats(wafer)},
                    {"HOME_ENTRIES", form.home_entries()},
                    {"BATCH_TURNS", memory.turns_at_once},
                    {"LAST_TURNS", wafer.sequence_columns - (batches - 1) * memory.turns_at_once}});
  const std::pair<const char*, ShareConstant> words[] = {
      {"SHARE_KEY", kShareKey},     {"SHARE_QUERIES", kShareQueries},   {"SHARE_AMONG", kShareAmong},
      {"SHARE_FIRST", kShareFirst}, {"SHARE_END", kShareEnd},           {"SHARE_BEHIND", kShareBehind},
      {"SHARE_OWN", kShareOwn},     {"SHARE_MINE", kShareMine},         {"SHARE_BEFORE", kShareBefore},
      {"SHARE_REST", kShareRest},   {"SHARE_POSITION", kSharePosition}, {"SHARE_HOME", kShareHome}};
  for (const auto& [name, constant] : words) constants[name] = memory.share_row + constant;
}

}  // namespace weft::compiler
