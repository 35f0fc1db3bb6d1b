#include "sw/compiler/operations/attention.hpp"

#include <algorithm>

#include "sw/compiler/model/dropout.hpp"

namespace weft::compiler {

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

void AttentionLowering::mix(OpBuilder& builder, const network::NetworkOperation& from) const {
  if (from.p == 0) return;
  const DropoutNumbers site = site_numbers(from.site);
  builder.call("dropout_mix", {{"c0", site[0]}, {"c1", site[1]}, {"c2", site[2]}, {"c3", site[3]}});
}

std::vector<Argument> AttentionLowering::narrower(const network::NetworkOperation& from) const {
  if (wafer_.sequence_columns > 1) return {};
  return {{"narrower", from.causal ? 1 : 0}};
}

AttentionLowering::HeadCall AttentionLowering::dropped(const network::NetworkOperation& from, int matrix) const {
  const DropoutFactors factors = dropout_factors(from.p);
  HeadCall call{wafer_.sequence_columns > 1 ? "drop_weights_long" : "drop_weights", {}, narrower(from)};
  call.others.insert(call.others.end(), {{"matrix", matrix},
                                         {"below", factors.below},
                                         {"factor", factors.factor},
                                         {"hi", factors.hi},
                                         {"lo", factors.lo}});
  call.sequences = {{"mixed", memory_.drop_mixed}};
  return call;
}

std::vector<AttentionLowering::HeadCall> AttentionLowering::derivatives(const network::NetworkOperation& from) const {
  const bool several = wafer_.sequence_columns > 1;
  const std::vector<Argument> arrays{{"dout", gradient_address(from.out[0])}, {"v", address(from.in[2])}};
  if (from.p == 0) return {{several ? "dprobs_long" : from.causal ? "dprobs" : "dprobs_full", arrays}};
  return {{several ? "weight_derivatives_long" : "weight_derivatives", arrays, narrower(from)},
          dropped(from, memory_.dprobs),
          {several ? "score_derivatives_long" : "score_derivatives", {}, narrower(from)},
          dropped(from, memory_.probs)};
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
  std::vector<HeadCall> calls = {probs(from, p)};
  mix(builder, from);
  if (from.p > 0) calls.push_back(dropped(from, p));
  calls.push_back({several       ? "attend_long"
                   : from.causal ? "attend"
                                 : "attend_full",
                   {{"src", address(from.in[2])}, {"dst", address(from.out[0])}},
                   {{"factor", kOneBf16}, {"matrix", p}}});
  per_head(builder, calls);
  add(builder);
}

void AttentionLowering::input_gradient(const network::Step& step) {
  const network::NetworkOperation& from = graph_.op(step);
  OpBuilder builder = op(step.name);
  mix(builder, from);
  per_head(builder, memory_.shared ? shared_input_gradient(from) : stored_input_gradient(from));
  add(builder);
}

std::vector<AttentionLowering::HeadCall> AttentionLowering::stored_input_gradient(
    const network::NetworkOperation& from) const {
  const int q = address(from.in[0]), k = address(from.in[1]);
  const int dout = gradient_address(from.out[0]), scale = score_scale(model_);
  const auto sum = [](std::string_view kernel, int src, int dst, int factor, int matrix) {
    return HeadCall{kernel, {{"src", src}, {"dst", dst}}, {{"factor", factor}, {"matrix", matrix}}};
  };
  const bool several = wafer_.sequence_columns > 1;
  std::vector<HeadCall> calls = {probs(from, memory_.probs)};
  const auto then = [&](const HeadCall& call) { calls.push_back(call); };
  for (const HeadCall& call : derivatives(from)) then(call);
  const std::string_view attend = several ? "attend_long" : from.causal ? "attend" : "attend_full";
  then(sum(attend, k, gradient_address(from.in[0]), scale, memory_.dprobs));
  if (!several && from.causal) {
    then(p_to_lower());
    then(sum("attend_lower", dout, gradient_address(from.in[2]), kOneBf16, memory_.probs));
    then(ds_to_lower());
    then(sum("attend_lower", q, gradient_address(from.in[1]), scale, memory_.probs));
  } else {
    const std::string_view lower = several ? "attend_lower_long" : "attend_full";
    then({"to_lower_long", {}});
    then(sum(lower, dout, gradient_address(from.in[2]), kOneBf16, memory_.probs));
    then(sum(lower, q, gradient_address(from.in[1]), scale, memory_.dprobs));
  }
  return calls;
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

const OperationLowering& attention_lowering() {
  static constexpr OperationLowering lowering{
      .lower = [](const LoweringTools& tools, const network::Step& step) { AttentionLowering(tools).lower(step); },
      .constants = AttentionLowering::constants};
  return lowering;
}

}  // namespace weft::compiler
