#include <algorithm>
#include <utility>

#include "sw/compiler/operations/attention.hpp"

namespace weft::compiler {
namespace {

/// Entry of R from which on a row's own features wait for their exchange while main computes scores: before those of
/// the visitors on their way. Below 0 if there is no room.
int own_features_at(const MemoryPlan& memory, const machine::WaferShape& wafer) {
  return machine::WaferShape::kRDepth - memory.shared->slice_beats(wafer) -
         memory.shared->own_entries(memory.padded_seq / wafer.lanes);
}

}  // namespace

void AttentionLowering::shared_scores(std::vector<HeadCall>& calls, std::string_view kernel, int x, int own,
                                      int p) const {
  const SharedAttention& form = *memory_.shared;
  const auto scores = static_cast<int>(form.scores(memory_.parts, wafer_.lanes)) / form.sets();
  for (int set = 0; set < form.sets(); ++set)
    calls.push_back({kernel, {}, {{"x", x}, {"own", own + set * form.slice()}, {"p", p + set * scores}}});
}

bool AttentionLowering::exchanges_beside() const {
  return !memory_.one_shared_array() &&
         memory_.turns_at_once * memory_.shared->set * memory_.shared->part_beats <= own_features_at(memory_, wafer_);
}

std::vector<AttentionLowering::HeadCall> AttentionLowering::shared_probs(const network::NetworkOperation& from) const {
  const MemoryPlan& m = memory_;
  std::vector<HeadCall> calls = {share(address(from.in[1]), m.shared_k), records(m.shared_k, m.records_k),
                                 share(address(from.in[0]), m.shared_q)};
  const HeadCall v = share(address(from.in[2]), m.shared_v);
  const std::size_t first = calls.size();
  shared_scores(calls, "share_scores", m.shared_q, m.records_k, m.probs);
  if (exchanges_beside()) {
    HeadCall& scores = calls[first];
    scores.kernel = "share_scores_beside";
    scores.arrays = v.arrays;
    scores.others.insert(scores.others.end(), v.others.begin(), v.others.end());
  }
  calls.push_back({"share_probs", {}, {}});
  if (!exchanges_beside()) calls.push_back(v);
  calls.push_back(records(m.shared_v, m.records_v));
  return calls;
}

std::vector<AttentionLowering::HeadCall> AttentionLowering::shared_forward(
    const network::NetworkOperation& from) const {
  std::vector<HeadCall> calls = shared_probs(from);
  calls.push_back(shared_sum(memory_.probs, memory_.records_v, address(from.out[0]), kOneBf16));
  return calls;
}

/// First with keys that visit queries, for dq, then with queries that visit keys, for dk and dv. The records of q have
/// the maximum and 1 / sum of each query, those of dout have D. If all arrays are one, q, k and v are exchanged again.
std::vector<AttentionLowering::HeadCall> AttentionLowering::shared_input_gradient(
    const network::NetworkOperation& from) const {
  const MemoryPlan& m = memory_;
  const int scale = score_scale(model_);
  std::vector<HeadCall> calls = shared_probs(from);
  const auto then = [&](const HeadCall& call) { calls.push_back(call); };
  const auto again = [&](int array, int shared) {
    if (m.one_shared_array()) then(share(array, shared));
  };
  then(share(gradient_address(from.out[0]), m.shared_dout));
  then({"share_delta", {{"out", address(from.out[0])}, {"dout", gradient_address(from.out[0])}}, {}});
  shared_scores(calls, "share_own_derivatives", m.shared_dout, m.records_v, m.probs);
  then(records(m.shared_dout, m.records_v));
  then(shared_sum(m.probs, m.records_k, gradient_address(from.in[0]), scale));
  again(address(from.in[0]), m.shared_q);
  then(records(m.shared_q, m.records_k));
  again(address(from.in[1]), m.shared_k);
  shared_scores(calls, "share_weights", m.shared_k, m.records_k, m.probs);
  then({"share_mask", {}, {}});
  then(shared_sum(m.probs, m.records_v, gradient_address(from.in[2]), kOneBf16));
  again(address(from.in[2]), m.shared_v);
  shared_scores(calls, "share_derivatives", m.shared_v, m.records_v, m.probs);
  then(shared_sum(m.probs, m.records_k, gradient_address(from.in[1]), scale));
  return calls;
}

void AttentionLowering::shared_constants(assembler::Constants& constants, const KernelShape& shape) {
  const auto& [model, wafer, spaces, memory] = shape;
  const SharedAttention& form = *memory.shared;
  const int batches = (wafer.sequence_columns + memory.turns_at_once - 1) / memory.turns_at_once;
  constants.insert({{"PARTS", wafer.sequence_columns},
                    {"PLACE", memory.place},
                    {"CLOSED", memory.closed},
                    {"OWN_MASK", memory.own_mask},
                    {"OWN_MASK_BACK", memory.own_mask_back},
                    {"VISITORS", memory.visitors},
                    {"LINK_BEATS", std::max(1, kLinkWords / wafer.lanes)},
                    {"SHARED_Q", memory.shared_q},
                    {"SHARED_DOUT", memory.shared_dout},
                    {"QUERY_PARTS", form.query_parts},
                    {"KEY_ROWS", form.key_rows},
                    {"OWN_KEYS", form.keys},
                    {"KEY_SETS", form.sets()},
                    {"KEYS", form.set},
                    {"SCORES", static_cast<int>(form.scores(memory.parts, wafer.lanes))},
                    {"D_ROW", wafer.lanes < kShareValues ? 0 : kShareValues - 1},
                    {"PART_BEATS", form.part_beats},
                    {"PART", form.part_beats * wafer.lanes},
                    {"HEAD_FEATURES", form.features},
                    {"RECORD", form.record},
                    {"RECORD_BEATS", form.record / wafer.lanes},
                    {"SLICE_BEATS", form.slice_beats(wafer)},
                    {"SHARE_TRAVEL", machine::WaferShape::kRDepth - form.slice_beats(wafer)},
                    {"OWN_AT", std::max(0, own_features_at(memory, wafer))},
                    {"HOME_ENTRIES", form.home_entries()},
                    {"BATCH_TURNS", memory.turns_at_once},
                    {"LAST_TURNS", wafer.sequence_columns - (batches - 1) * memory.turns_at_once}});
  const std::pair<const char*, ShareConstant> words[] = {
      {"SHARE_KEY", kShareKey},           {"SHARE_QUERIES", kShareQueries}, {"SHARE_AMONG", kShareAmong},
      {"SHARE_FIRST", kShareFirst},       {"SHARE_END", kShareEnd},         {"SHARE_BEHIND", kShareBehind},
      {"SHARE_OWN", kShareOwn},           {"SHARE_MINE", kShareMine},       {"SHARE_BEFORE", kShareBefore},
      {"SHARE_POSITION", kSharePosition}, {"SHARE_HOME", kShareHome}};
  for (const auto& [name, constant] : words) constants[name] = memory.share_row + constant;
}

}  // namespace weft::compiler
