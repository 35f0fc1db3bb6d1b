/// What lies where in every PE's SRAM.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "sw/compiler/loads.hpp"
#include "sw/compiler/plan.hpp"
#include "sw/compiler/space.hpp"

namespace weft {

/// The placements one model needs.
struct Spaces {
  Spaces(const ModelShape& model, int rows, const Loads& loads = {});
  Space hidden, filter, vocab, head, position;
};

/// Tokens a column can hold: the kernels use six vectors of them in the accumulator file.
inline int most_tokens(const WaferShape& wafer) { return WaferShape::kRDepth / 6 * wafer.lanes; }

/// Tokens of a sequence: attention keeps a row of scores for each lane in it, and one vector more.
inline int most_sequence(const WaferShape& wafer) {
  return std::min(most_tokens(wafer), WaferShape::kRDepth / (wafer.lanes + 1) * wafer.lanes);
}

/// Element addresses. An array holds [slots][T] bf16; all arrays lie a multiple of T apart, so that one weight index
/// reaches any array above the base of the kernel that reads it (ones, residual). What is read together with them lies
/// at the end of SRAM. Addresses mean something only if `end` is within the SRAM.
struct MemoryPlan {
  MemoryPlan(const ModelShape& model, const WaferShape& wafer, const Spaces& spaces);

  struct Layer {
    int xhat1, rstd1, q, k, v, heads, xhat2, rstd2, u;
  };

  int tokens_per_column = 0;  ///< T
  int sequences = 0;          ///< sequences of a column
  int padded_seq = 0;         ///< SP: a sequence's tokens, rounded up to whole beats

  // Row constants, one element each, then tables of `rows` elements.
  static constexpr int kCntHidden = 0, kCntFilter = 1, kCntVocab = 2, kHeadCount = 3, kHeadDim = 4, kGroupFirst = 5,
                       kGroupLast = 6, kRowIndex = 7, kTables = 8;
  int table_hidden, table_filter, table_vocab, table_head;
  int triangle, triangle_lower;
  int token, label, valid, position;  ///< [T] each; token, label, valid are adjacent
  int loss_scale, gelu_scratch, probs, dprobs;
  int gelu_at_once = 1;  ///< features that GELU treats together: two vectors of them in R, and of scratch
  // Scratch arrays, shared by all layers.
  int ln_out, delta, delta_scaled, logits, gelu, dgelu, dheads, dq, dk, dv;
  std::vector<Layer> layers;
  int xhat_final, rstd_final;
  int residual, dresidual, ones;
  int dys_below, dys_above;  ///< [2][T] each
  int upper_half = 0;        ///< first element of SRAM's upper half (docs/memory.md)
  std::int64_t end = 0;      ///< elements used

  struct Use {
    std::string name;
    std::int64_t elements;
  };
  /// Buffers for the deltas that are multiplied with x: in the half that x is not in.
  int dys(int x) const { return x < upper_half ? dys_above : dys_below; }

  std::vector<Use> uses;  ///< adds up to `end`
  /// Bytes by use, as a table.
  std::string map(const WaferShape& wafer) const;

 private:
  std::int64_t above_ = 0;  ///< elements used at the end of SRAM

  int take(const std::string& use, std::int64_t elements, int align);
  /// The same from the end of SRAM down.
  int take_above(const std::string& use, std::int64_t elements, int sram);
};

}  // namespace weft
