#include <algorithm>
#include <cmath>

#include "sw/base/bf16.hpp"
#include "sw/compiler/lower/lower.hpp"
#include "sw/compiler/lower/shared_overlaps.hpp"

namespace weft::compiler {
namespace {

/// Words that two neighbouring PEs have room for between them: those of 15 beats in the queue of one, two each
/// (docs/explanation/kernels.md, Long sequences).
constexpr int kLinkWords = 28;

class AttentionLowering : private LoweringTools {
 public:
  explicit AttentionLowering(const LoweringTools& tools) : LoweringTools(tools) {}

  void lower(const network::Step& step) {
    step.kind == network::Step::Kind::Forward ? forward(step) : input_gradient(step);
  }
  static void constants(assembler::Constants& constants, const KernelShape& shape);

 private:
  void forward(const network::Step& step);
  void input_gradient(const network::Step& step);
  /// Ops of attention with rows that share the keys.
  std::vector<HeadCall> shared_forward(const network::NetworkOperation& from) const;
  std::vector<HeadCall> shared_input_gradient(const network::NetworkOperation& from) const;
  /// Attention weights of rows that share the keys, from q and k; then the records of v.
  std::vector<HeadCall> shared_probs(const network::NetworkOperation& from, VisitorBuffers& buffers) const;
  /// All features of a head, from all rows of its group. Meanwhile main makes the records of x at `own`, if not 0.
  static HeadCall share(int array, int shared, int x = 0, int own = 0) {
    return {"share_array", {{"src", array}}, {{"dst", shared}, {"at", 0}, {"x", x}, {"own", own}}};
  }
  HeadCall records(int shared, int own) const { return {"share_records", {}, {{"x", shared}, {"own", own}}}; }
  /// Scores of all sets of keys, with the visitors of the records `own`. next: records whose first batch is gathered
  /// at the end, or 0.
  void shared_scores(std::vector<HeadCall>& calls, VisitorBuffers& buffers, std::string_view kernel, int x, int own,
                     int next) const;
  HeadCall shared_sum(VisitorBuffers& buffers, int own, int dst, int factor, int next, bool makes_records) const;
  static void shared_constants(assembler::Constants& constants, const KernelShape& shape);
  /// Attention weights, at p; forward and backward compute them in the same way.
  HeadCall probs(const network::NetworkOperation& from, int p) const;
  /// P, and later dS, in the lower layout at the place of P, at the end of SRAM. Vectors that are multiplied with their
  /// rows are in the lower half of SRAM, as dS is.
  HeadCall p_to_lower() const;
  HeadCall ds_to_lower() const;
  /// 1 / sqrt(features of a head).
  static std::uint16_t score_scale(const ModelShape& model) {
    return nearest_bf16(1 / std::sqrt(static_cast<double>(model.hidden) / model.heads));
  }
};

AttentionLowering::HeadCall AttentionLowering::probs(const network::NetworkOperation& from, int p) const {
  const bool several = wafer_.sequence_columns > 1;
  HeadCall call{several ? "probs_long" : "probs", {{"q", address(from.in[0])}, {"k", address(from.in[1])}}};
  if (!several) call.others = {{"p", p}};
  if (memory_.document > 0) {
    call.kernel = several ? "probs_long_documents" : "probs_documents";
    if (!from.causal) call.kernel = several ? "probs_long_full" : "probs_full";
    call.sequences = {{"documents", memory_.document}};
  }
  return call;
}

void AttentionLowering::forward(const network::Step& step) {
  const network::NetworkOperation& from = graph_.op(step);
  const bool several = wafer_.sequence_columns > 1;
  OpBuilder builder = op(step.name);
  if (memory_.positions > 0) {
    const Argument count{"count", 1, 1};
    per_head(builder, {{"probs_one", {{"q", address(from.in[0])}, {"k", address(from.in[1])}}, {count}},
                       {"attend_one", {{"v", address(from.in[2])}, {"dst", address(from.out[0])}}, {count}}});
    return add(builder);
  }
  if (memory_.shared) {
    per_head(builder, shared_forward(from));
    return add(builder);
  }
  const int p = memory_.forward_probs();
  per_head(builder, {probs(from, p),
                     {several       ? "attend_long"
                      : from.causal ? "attend"
                                    : "attend_full",
                      {{"src", address(from.in[2])}, {"dst", address(from.out[0])}},
                      {{"factor", kOneBf16}, {"matrix", p}}}});
  add(builder);
}

void AttentionLowering::input_gradient(const network::Step& step) {
  const network::NetworkOperation& from = graph_.op(step);
  const int q = address(from.in[0]), k = address(from.in[1]), v = address(from.in[2]);
  const int dout = gradient_address(from.out[0]), scale = score_scale(model_);
  OpBuilder builder = op(step.name);
  const auto sum = [](std::string_view kernel, int src, int dst, int factor, int matrix) {
    return HeadCall{kernel, {{"src", src}, {"dst", dst}}, {{"factor", factor}, {"matrix", matrix}}};
  };
  if (memory_.shared)
    per_head(builder, shared_input_gradient(from));
  else if (wafer_.sequence_columns > 1)
    per_head(builder, {probs(from, memory_.probs),
                       {"dprobs_long", {{"dout", dout}, {"v", v}}},
                       sum("attend_long", k, gradient_address(from.in[0]), scale, memory_.dprobs),
                       {"to_lower_long", {}},
                       sum("attend_lower_long", dout, gradient_address(from.in[2]), kOneBf16, memory_.probs),
                       sum("attend_lower_long", q, gradient_address(from.in[1]), scale, memory_.dprobs)});
  else if (!from.causal)
    per_head(builder, {probs(from, memory_.probs),
                       {"dprobs_full", {{"dout", dout}, {"v", v}}},
                       sum("attend_full", k, gradient_address(from.in[0]), scale, memory_.dprobs),
                       {"to_lower_long", {}},
                       sum("attend_full", dout, gradient_address(from.in[2]), kOneBf16, memory_.probs),
                       sum("attend_full", q, gradient_address(from.in[1]), scale, memory_.dprobs)});
  else
    per_head(builder, {probs(from, memory_.probs),
                       {"dprobs", {{"dout", dout}, {"v", v}}},
                       sum("attend", k, gradient_address(from.in[0]), scale, memory_.dprobs),
                       p_to_lower(),
                       sum("attend_lower", dout, gradient_address(from.in[2]), kOneBf16, memory_.probs),
                       ds_to_lower(),
                       sum("attend_lower", q, gradient_address(from.in[1]), scale, memory_.probs)});
  add(builder);
}

AttentionLowering::HeadCall AttentionLowering::p_to_lower() const {
  return {"to_lower",
          {},
          {{"src", memory_.probs},
           {"dst", memory_.probs},
           {"step", memory_.padded_seq},
           {"mask", memory_.triangle_lower},
           {"mask_step", wafer_.lanes}}};
}

AttentionLowering::HeadCall AttentionLowering::ds_to_lower() const {
  const int last = wafer_.lanes - 1;
  return {"to_lower",
          {},
          {{"src", memory_.dprobs + last * memory_.padded_seq},
           {"dst", memory_.probs},
           {"step", 0x10000 - memory_.padded_seq},
           {"mask", memory_.triangle + last * wafer_.lanes},
           {"mask_step", 0x10000 - wafer_.lanes}}};
}

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

void AttentionLowering::constants(assembler::Constants& constants, const KernelShape& shape) {
  const auto& [model, wafer, spaces, memory] = shape;
  constexpr int kDepth = machine::WaferShape::kRDepth;
  const int beats = memory.padded_seq / wafer.lanes, features = head_features(model, wafer), scale = score_scale(model);
  // Items per pass, if `all` items are spread evenly over the fewest passes of at most `most` items.
  const auto evenly = [](int all, int most) {
    const int passes = (all + most - 1) / most;
    return (all + passes - 1) / passes;
  };
  constants.insert({{"TRIANGLE", memory.triangle},
                    {"TRIANGLE_LOWER", memory.triangle_lower},
                    {"PROBS", memory.probs},
                    {"DPROBS", memory.dprobs},
                    {"SCALE", scale},
                    {"MINUS_SCALE", scale ^ 0x8000},
                    {"HEAD_AT_ONCE", evenly(features, kDepth / beats)}});
  if (memory.shared) {
    shared_constants(constants, shape);
  } else if (memory.positions > 0) {
    // Scores that fit R at once, and the entries behind them.
    constexpr int kSum = kDepth - 2;
    constants.insert({{"KEPT", memory.kept_stride},
                      {"SUM", kSum},
                      {"MAXIMUM", kSum + 1},
                      {"POSITIONS_AT_ONCE", evenly(memory.positions, kSum)}});
  } else if (wafer.sequence_columns > 1) {
    // Places and sizes in R for a sequence over several columns. Keys and values travel by way of entries behind a
    // batch of scores. A batch has the scores of all turns that are gathered, or, if these are one turn, some of its
    // blocks.
    constexpr int kTravel = kDepth / 2;
    const int travel = std::min(kMostTravel, features * beats), block = wafer.lanes * beats,
              turns = memory.turns_at_once;
    const bool by_turns = turns > 1;
    const int batch =
        by_turns ? turns * memory.padded_seq * beats : block * evenly(beats, std::max(1, (kDepth - travel) / block));
    constants.insert({{"PARTS", wafer.sequence_columns},
                      {"PLACE", memory.place},
                      {"CLOSED", memory.closed},
                      {"STRIPS", memory.strips},
                      {"VISITORS", memory.visitors},
                      {"NUMBERS", memory.numbers},
                      {"TRAVEL", kTravel},
                      {"VISITORS_AT_ONCE", evenly(features, kTravel / beats)},
                      {"TURNS_AT_ONCE", turns},
                      {"BATCH", batch},
                      {"BY_TURNS", by_turns},
                      {"KEYS_AT_ONCE", by_turns ? 1 : wafer.lanes},
                      {"SCORE_TRAVEL", kDepth - std::min(travel, kDepth - batch)},
                      {"TRAVEL_AT_ONCE", std::min(travel, kDepth - batch)},
                      {"LINK_BEATS", std::max(1, kLinkWords / wafer.lanes)}});
  } else {
    constants["PARTS"] = 1;
  }
}

}  // namespace

const OperationLowering& attention_lowering() {
  static constexpr OperationLowering lowering{
      .lower = [](const LoweringTools& tools, const network::Step& step) { AttentionLowering(tools).lower(step); },
      .constants = AttentionLowering::constants};
  return lowering;
}

}  // namespace weft::compiler
