/// Memory layout of every PE's SRAM.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sw/compiler/graph/graph.hpp"
#include "sw/compiler/memory/shared_attention.hpp"
#include "sw/compiler/model/model_shape.hpp"
#include "sw/compiler/placement/row_constants.hpp"
#include "sw/compiler/placement/spaces.hpp"
#include "sw/compiler/plan/symbols.hpp"
#include "sw/machine/shape.hpp"

namespace weft::compiler {

/// Tokens that a column can hold: the accumulator file has room for six vectors of them, of which kernels use four.
inline int most_tokens(const machine::WaferShape& wafer) { return machine::WaferShape::kRDepth / 6 * wafer.lanes; }

/// Tokens of a sequence that a column can hold: attention keeps a row of scores for each lane, and one vector more, in
/// the accumulator file.
inline int most_sequence(const machine::WaferShape& wafer) {
  return std::min(most_tokens(wafer), machine::WaferShape::kRDepth / (wafer.lanes + 1) * wafer.lanes);
}

/// Entries of the accumulator file through which attention's visitors travel, at most.
constexpr int kMostTravel = machine::WaferShape::kRDepth / 4;

/// Features of a head in a row, at most.
inline int head_features(const ModelShape& m, const machine::WaferShape& w) {
  const int dim = m.hidden / m.heads, spread = rows_per_head(m.heads, dim, w.rows, m.head_unit());
  return (dim / m.head_unit() + spread - 1) / spread * m.head_unit();
}

/// Heads of the row that has most of them.
inline int most_heads(const ModelShape& m, const machine::WaferShape& w) {
  const bool spread = rows_per_head(m.heads, m.hidden / m.heads, w.rows, m.head_unit()) > 1;
  return spread ? 1 : (m.heads + w.rows - 1) / w.rows;
}

/// Element addresses. An array holds [slots][T] bf16; all arrays lie a multiple of T apart, so that one weight index
/// reaches any array not too far above the base of the kernel that reads it (ones, the residual stream). Arrays that
/// are read together with these lie at the end of SRAM. Addresses are valid only if `end` is within the SRAM.
struct MemoryPlan {
  /// `positions`: above 0 for decode_graph(): a column has LANES texts, one position of each, and k and v of
  /// `positions` positions.
  MemoryPlan(const ModelShape& model, const machine::WaferShape& wafer, const Spaces& spaces, const Graph& graph,
             int positions = 0);
  MemoryPlan(const ModelShape& model, const machine::WaferShape& wafer, const Spaces& spaces)
      : MemoryPlan(model, wafer, spaces, *graph_of(model)) {}

  int tokens_per_column = 0;  ///< T
  int sequences = 0;          ///< that lie in a column, whole or in part
  int parts = 1;              ///< columns that share a sequence
  int padded_seq = 0;         ///< SP: a sequence's tokens in a column, rounded up to whole beats
  int positions = 0;          ///< for decode, else 0
  int kept_stride = 0;        ///< decode: elements of k, or of v, from a position to the next

  // Row constants, one element each, then tables of `rows` elements.
  static constexpr int kCntHidden = 0, kCntFilter = 1, kCntVocab = 2, kHeadCount = 3, kHeadDim = 4, kGroupFirst = 5,
                       kGroupLast = 6, kRowIndex = 7, kTables = 8;
  int table_hidden, table_filter, table_vocab, table_head;
  int table_class = 0;
  /// For a model with classes: row constants of the losses (LossConstant), of classes or numbers, and, if the loss of
  /// tokens next to one of classes has the same kernel, of tokens. That has a vocabulary in one block, and no
  /// smoothing.
  int class_table = 0, token_table = 0;
  int triangle, triangle_lower;  ///< -1e30 before the diagonal, and behind it: [LANES][LANES]
  bool counts = false;           ///< each table is followed by its outputs' rounds of a register (sw/kernels/outputs)
  int blocks = 1;                ///< blocks of the vocabulary (blocks.hpp)
  int token, label;              ///< [blocks][T]: indices, or kNoIndex; all up to document are adjacent
  int segment = 0;               ///< [T], of a model with segments; between token and label
  int valid, position;           ///< [T] each
  int document = 0;              ///< [T], of a model with documents, or with attention that is not causal
  /// For a model with classes. class_label, class_weight: [T] each, behind document for a loss of classes next to that
  /// of tokens, else those of that loss, which this one has in its place. label_low: [T], for labels that are numbers,
  /// what their roundings at `label` lack.
  int class_label = 0, class_weight = 0, class_scale = 0, label_low = 0;
  /// For a network with dropout: the flag with which tiles drop; numbers of features, [slots][kDropoutNumbers], 0 if
  /// none of their role are dropped; numbers of tokens, [kSentNumbers][T], followed by those mixed for an operation,
  /// [kDropoutNumbers][T].
  int drop_flag = 0, drop_hidden = 0, drop_filter = 0, drop_numbers = 0, drop_mixed = 0;
  /// If weights of attention are dropped: numbers of the row's heads and of the keys that the column's queries meet,
  /// [heads][parts][SP][kDropoutNumbers].
  int drop_keys = 0;
  int loss_scale, probs, dprobs;  ///< probs, dprobs: [parts][SP][SP]; decode: probs [positions][LANES]
  /// Address of P in forward. As in backward, the vectors that are multiplied with P are in the other half of SRAM;
  /// backward has dS at this address.
  int forward_probs() const { return positions == 0 && parts == 1 ? dprobs : probs; }
  /// For sequences over several columns (sw/kernels/attention_long.s). place: the number of columns of its sequence
  /// behind the column, [SP]. closed: 1.0 while the visiting keys are masked for the column's queries, [SP]. strips:
  /// the queries before each key, [LANES][2 SP - LANES]. visitors: a head's vectors of the visitors of turns_at_once
  /// turns, [turn][features][SP]. These three are read together with arrays in the lower half of SRAM. numbers: in a
  /// model with documents, the document numbers of the queries and of the visitors, [SP] each.
  int place = 0, closed = 0, strips = 0, visitors = 0, visitor_slots = 0, numbers = 0, turns_at_once = 1;
  /// With attention whose rows share the keys (sw/kernels/attention_shared.s); then place and closed are
  /// [set][queries] of a row, probs [sets][parts][set][queries], with dprobs in its place, and turns_at_once are the
  /// turns of one of two buffers of visitors. shared_q .. shared_dout: all features of a head, [record][SP]; the same
  /// array, exchanged again for each use, where memory has no room for four. records_k, records_v: [keys][record].
  /// own_mask, own_mask_back: see own_mask(). share_row: the row's constants (share_constants()). Scores, these arrays
  /// and records share memory with values of other operations.
  std::optional<SharedAttention> shared;
  int share_row = 0, own_mask = 0, own_mask_back = 0;
  int shared_q = 0, shared_k = 0, shared_v = 0, shared_dout = 0, records_k = 0, records_v = 0;
  bool one_shared_array() const { return shared_q == shared_k; }
  int ones, dys_below, dys_above;  ///< dys: [2][T] each
  /// Returns true if behind the array at this address lies a place for the always-one feature, [T], which a GEMM fills.
  /// Arrays that a linear reads or adds to have one where vectors are short, no base of numbered weights reaches all of
  /// memory, and memory has room for it (docs/explanation/short_vectors.md).
  bool has_place_behind(int address) const { return followed_.contains(address); }
  /// For a network with rotary positions. rotary_count: pairs of a head in this row, one element; cosines, sines and
  /// negated sines: [pairs][turns] each.
  int turns = 0;  ///< SP, or decode's positions, rounded up to whole words
  int rotary_pairs = 0, rotary_count = 0, rotary_cos = 0, rotary_sin = 0, rotary_minus = 0;
  int upper_half = 0;    ///< first element of SRAM's upper half (docs/explanation/memory.md)
  std::int64_t end = 0;  ///< elements used

  /// Values, gradients and scratch of kernels, by name: "h.0.q", "dresidual", "elementwise_scratch".
  std::vector<ArraySymbol> arrays;
  /// Address of one of `arrays`. Throws std::out_of_range.
  int at(std::string_view array) const;
  /// Increment of an array's address per position: kept_stride for decode's k and v, 0 for all others.
  int per_position(std::string_view array) const { return kept_.contains(array) ? kept_stride : 0; }

  /// row_constants(), with those of `shared`.
  std::vector<RowConstants> row_constants(const ModelShape& model, const machine::WaferShape& wafer,
                                          const Spaces& spaces) const;

  struct Use {
    std::string name;
    std::int64_t elements;
  };
  /// Buffers for the deltas that are multiplied with x, in the half of SRAM that x is not in.
  int dys(int x) const { return x < upper_half ? dys_above : dys_below; }

  std::vector<Use> uses;  ///< adds up to `end`
  /// Bytes by use, as a table.
  std::string map(const machine::WaferShape& wafer) const;

 private:
  /// Parts that a plan leaves out where memory has no room for them.
  struct Extras {
    bool places = true;  ///< for always-one features behind arrays, where they are wanted
    bool arrays = true;  ///< an array of rows that share the keys for each of q, k, v and dout
  };
  MemoryPlan(const ModelShape& model, const machine::WaferShape& wafer, const Spaces& spaces, const Graph& graph,
             int positions, Extras extras);

  std::int64_t above_ = 0;  ///< elements used at the end of SRAM

  std::map<std::string, int, std::less<>> addresses_;  // [array]
  std::set<std::string, std::less<>> kept_;            // decode: arrays of all positions
  std::set<std::string, std::less<>> wanted_;          // arrays with a place behind them
  std::set<int> followed_;                             // ... their addresses

  int allocate(const std::string& use, std::int64_t elements, int align);
  /// As allocate(), but from the end of SRAM down.
  int allocate_above(const std::string& use, std::int64_t elements, int sram);
  void add(const std::string& name, int address, int slots);
  /// Elements that an index reaches, `numbers` bits of which name a sum.
  std::int64_t reached(const machine::WaferShape& wafer, int numbers) const;
  /// Finds the arrays that a place for the always-one feature follows.
  void want_places(const machine::WaferShape& wafer, const Graph& graph);
  /// Slots of an array and of the place behind it, if there is one.
  std::int64_t with_place(std::string_view array, std::int64_t slots) const {
    return slots + (wanted_.contains(array) ? 1 : 0);
  }
  void allocate_overlaid_values(const machine::WaferShape& wafer, const Spaces& spaces, const Graph& graph,
                                bool arrays);
  void allocate_norms(const Spaces& spaces, const Graph& graph);
  void allocate_norm_gradients(const Spaces& spaces, const Graph& graph, int sram);
  void allocate_kept(const Spaces& spaces, const Graph& graph, int sram);
  void allocate_long_sequences(const ModelShape& model, const machine::WaferShape& wafer);
  void allocate_visitors(const machine::WaferShape& wafer);
  void allocate_shared(const machine::WaferShape& wafer);
  /// Places what attention whose rows share the keys needs during its own ops: scores, arrays and records, at `at`.
  /// Returns its elements.
  std::int64_t place_shared(std::int64_t at, const machine::WaferShape& wafer, bool arrays);
  void allocate_shared_visitors(const machine::WaferShape& wafer);
  void allocate_rotary(const ModelShape& model, const machine::WaferShape& wafer);
  void allocate_streams(const Spaces& spaces, const Graph& graph);
};

}  // namespace weft::compiler
