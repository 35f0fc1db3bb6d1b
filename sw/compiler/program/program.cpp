#include "sw/compiler/program/program.hpp"

#include <bit>
#include <cmath>
#include <deque>
#include <set>
#include <string>

#include "sw/asm/assembler.hpp"
#include "sw/base/bf16.hpp"
#include "sw/compiler/graph/graph.hpp"
#include "sw/compiler/placement/blocks.hpp"
#include "sw/compiler/program/program_sources.hpp"
#include "sw/machine/gather.hpp"

namespace weft::compiler {
namespace {

/// Defines NAME_HI and NAME_LO, two bf16 whose sum is x to about 16 bits, and the same negated with MINUS_ in front.
void split(assembler::Constants& constants, const std::string& name, double x) {
  const std::uint16_t hi = nearest_bf16(x), lo = nearest_bf16(x - as_float(widen(hi)));
  constants[name + "_HI"] = hi;
  constants[name + "_LO"] = lo;
  constants["MINUS_" + name + "_HI"] = hi ^ 0x8000;
  constants["MINUS_" + name + "_LO"] = lo ^ 0x8000;
}

/// Items per pass, if `all` items are spread evenly over the fewest passes of at most `most` items.
int evenly(int all, int most) {
  const int passes = (all + most - 1) / most;
  return (all + passes - 1) / passes;
}

/// Features of a head that `attend` sums together: as many as R has room for.
int head_features_at_once(const ModelShape& m, const machine::WaferShape& w, const MemoryPlan& p) {
  return evenly(head_features(m, w), machine::WaferShape::kRDepth / (p.padded_seq / w.lanes));
}

/// Adds constants of the attention kernels over several columns: places and sizes in R.
void add_long_sequences(assembler::Constants& c, const ModelShape& m, const machine::WaferShape& w,
                        const MemoryPlan& p) {
  constexpr int kTravel = machine::WaferShape::kRDepth / 2;
  const int beats = p.padded_seq / w.lanes, state = machine::WaferShape::kRDepth - beats;
  c.insert({{"PARTS", w.sequence_columns},
            {"PLACE", p.place},
            {"CLOSED", p.closed},
            {"STRIPS", p.strips},
            {"VISITORS", p.visitors},
            {"TRAVEL", kTravel},
            {"VISITORS_AT_ONCE", evenly(head_features(m, w), (state - beats - kTravel) / beats)},
            {"STATE", state}});
}

/// Adds constants of the kernels of one position: the number of scores that fit R at once, and the entries behind them.
void add_one_position(assembler::Constants& c, const MemoryPlan& p) {
  constexpr int kSum = machine::WaferShape::kRDepth - 2;
  c.insert({{"KEPT", p.kept_stride},
            {"TURNS", p.turns},
            {"SUM", kSum},
            {"MAXIMUM", kSum + 1},
            {"POSITIONS_AT_ONCE", evenly(p.positions, kSum)}});
}

}  // namespace

assembler::Program assemble_kernels(const ModelShape& m, const machine::WaferShape& w, const MemoryPlan& p,
                                    const std::set<std::string>& called) {
  const std::uint16_t scale = nearest_bf16(1 / std::sqrt(static_cast<double>(m.hidden) / m.heads));
  assembler::Constants c{
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
      {"NORM_SLOTS", machine::kNormSlots},
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
  std::deque<std::string> texts;
  return assembler::assemble(sources_of(*graph_of(m), m, w, p, called, texts), c);
}

}  // namespace weft::compiler
