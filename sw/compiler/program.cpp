#include "sw/compiler/program.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>
#include <string>

#include "kernel_sources.hpp"
#include "sw/base/bf16.hpp"
#include "sw/compiler/blocks.hpp"
#include "sw/compiler/graph.hpp"
#include "sw/machine/gather.hpp"

namespace weft {
namespace {

/// Defines NAME_HI and NAME_LO, two bf16 whose sum is x to about 16 bits, and the same negated with MINUS_ in front.
void split(Constants& constants, const std::string& name, double x) {
  const std::uint16_t hi = nearest_bf16(x), lo = nearest_bf16(x - as_float(widen(hi)));
  constants[name + "_HI"] = hi;
  constants[name + "_LO"] = lo;
  constants["MINUS_" + name + "_HI"] = hi ^ 0x8000;
  constants["MINUS_" + name + "_LO"] = lo ^ 0x8000;
}

/// At most `most` of so many at a time, as few times as possible.
int evenly(int all, int most) {
  const int passes = (all + most - 1) / most;
  return (all + passes - 1) / passes;
}

/// Features of a head that `attend` adds up together: as many as have room in R.
int head_features_at_once(const ModelShape& m, const WaferShape& w, const MemoryPlan& p) {
  return evenly(head_features(m, w), WaferShape::kRDepth / (p.padded_seq / w.lanes));
}

/// What a program can do without, where it has no room.
constexpr std::string_view kFaster = "gradient_norm.s";

/// "far.s" of "sw/kernels/far.s".
std::string_view file_of(const Source& source) { return source.name.substr(source.name.rfind('/') + 1); }

/// Whether one of a file's kernels is among these.
bool has_any(std::string_view file, const std::set<std::string>& called) {
  const Source& source = *std::ranges::find(kKernelSources, file, file_of);
  return std::ranges::any_of(declared_kernels({&source, 1}),
                             [&](const Kernel& kernel) { return called.contains(kernel.name); });
}

/// Those that the network's operations call, and what all need.
std::vector<Source> sources_of(const Graph& graph, const ModelShape& m, const WaferShape& w, const MemoryPlan& memory,
                               const std::set<std::string>& called) {
  using Kind = NetworkOperation::Kind;
  const bool attends = graph.has(Kind::Attention), turns = graph.has(Kind::Rotary);
  const bool one = memory.positions > 0, long_sequences = !one && w.sequence_columns > 1,
             short_sequences = !one && !long_sequences;
  struct Only {
    std::string_view file;
    bool wanted;
  };
  const Only only[] = {{"dealt.s", one},
                       {"far.s", has_any("far.s", called)},
                       {"far_in_turn.s", has_any("far_in_turn.s", called)},
                       {"far_affine.s", has_any("far_affine.s", called)},
                       {kFaster, has_any(kFaster, called)},
                       {"vocabulary.s", memory.blocks > 1},
                       {"layernorm.s", graph.has(Kind::Norm)},
                       {"gelu.s", graph.has(Kind::Gelu)},
                       {"heads.s", attends || turns},
                       {"attention.s", attends && short_sequences && !m.has_documents()},
                       {"attention_documents.s", attends && short_sequences && m.has_documents()},
                       {"attention_sums.s", attends && short_sequences},
                       {"attention_back.s", attends && short_sequences},
                       {"attention_long.s", attends && long_sequences},
                       {"attention_long_probs.s", attends && long_sequences && !m.has_documents()},
                       {"attention_long_documents.s", attends && long_sequences && m.has_documents()},
                       {"attention_long_back.s", attends && long_sequences},
                       {"rotary.s", turns && !one},
                       {"one_position.s", one && attends},
                       {"one_count.s", !memory.counts},
                       {"counts.s", memory.counts},
                       {"one_block.s", memory.blocks == 1},
                       {"blocks.s", memory.blocks > 1},
                       {"one_hot.s", m.label_smoothing == 0},
                       {"smooth.s", m.label_smoothing != 0}};
  std::vector<Source> sources;
  for (const Source& source : kKernelSources) {
    const auto known = std::ranges::find(only, file_of(source), &Only::file);
    if (known == std::end(only) || known->wanted) sources.push_back(source);
  }
  if (instruction_count(sources) > WaferShape::kIDepth)
    std::erase_if(sources, [](const Source& source) { return file_of(source) == kFaster; });
  return sources;
}

/// Of kernels of attention over several columns: where things lie in R, how much of them.
void add_long_sequences(Constants& c, const ModelShape& m, const WaferShape& w, const MemoryPlan& p) {
  constexpr int kTravel = WaferShape::kRDepth / 2;
  const int beats = p.padded_seq / w.lanes, state = WaferShape::kRDepth - beats;
  c.insert({{"PARTS", w.sequence_columns},
            {"PLACE", p.place},
            {"CLOSED", p.closed},
            {"STRIPS", p.strips},
            {"VISITORS", p.visitors},
            {"TRAVEL", kTravel},
            {"VISITORS_AT_ONCE", evenly(head_features(m, w), (state - beats - kTravel) / beats)},
            {"STATE", state}});
}

/// Of the kernels of one position: how many scores R takes at once, and what lies behind them.
void add_one_position(Constants& c, const MemoryPlan& p) {
  constexpr int kSum = WaferShape::kRDepth - 2;
  c.insert({{"KEPT", p.kept_stride},
            {"TURNS", p.turns},
            {"SUM", kSum},
            {"MAXIMUM", kSum + 1},
            {"POSITIONS_AT_ONCE", evenly(p.positions, kSum)}});
}

}  // namespace

Program assemble_kernels(const ModelShape& m, const WaferShape& w, const MemoryPlan& p,
                         const std::set<std::string>& called) {
  const std::uint16_t scale = nearest_bf16(1 / std::sqrt(static_cast<double>(m.hidden) / m.heads));
  Constants c{
      {"LANES", w.lanes},
      {"LANE_BITS", std::countr_zero(static_cast<unsigned>(w.lanes))},
      {"T", p.tokens_per_column},
      {"VLT", p.tokens_per_column / w.lanes},
      {"SP", p.padded_seq},
      {"SPW", p.padded_seq / w.lanes},
      {"CNT_HIDDEN", p.kCntHidden},
      {"CNT_FILTER", p.kCntFilter},
      {"CNT_VOCAB", p.kCntVocab},
      {"HEAD_COUNT", p.kHeadCount},
      {"HEAD_DIM", p.kHeadDim},
      {"GROUP_FIRST", p.kGroupFirst},
      {"GROUP_LAST", p.kGroupLast},
      {"ROW_INDEX", p.kRowIndex},
      {"TRIANGLE", p.triangle},
      {"TRIANGLE_LOWER", p.triangle_lower},
      {"LABELS", p.label},
      {"VALID", p.valid},
      {"BLOCKS", p.blocks},
      {"ROW_COUNT", w.rows},
      {"BLOCK_SLOTS", block_slots(w)},
      {"LOSS_SCALE", p.loss_scale},
      {"HEAD_ROWS", rows_per_head(m.heads, m.hidden / m.heads, w.rows, m.head_unit())},
      {"GELU_AT_ONCE", p.gelu_at_once},
      {"NORM_SLOTS", kNormSlots},
      {"HEAD_AT_ONCE", head_features_at_once(m, w, p)},
      {"PROBS", p.probs},
      {"DPROBS", p.dprobs},
      {"SCALE", scale},
      {"MINUS_SCALE", scale ^ 0x8000},
      {"LN_EPS", nearest_bf16(m.ln_eps)},
  };
  split(c, "INV_HIDDEN", 1.0 / m.hidden);
  if (m.label_smoothing != 0) {
    c["MINUS_KEPT"] = nearest_bf16(1.0 - m.label_smoothing) ^ 0x8000;
    split(c, "REST", m.smoothing() / m.vocab);
  }
  if (p.positions > 0)
    add_one_position(c, p);
  else if (w.sequence_columns > 1)
    add_long_sequences(c, m, w, p);
  return assemble(sources_of(*graph_of(m), m, w, p, called), c);
}

}  // namespace weft
