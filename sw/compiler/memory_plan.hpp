/// What lies where in every PE's SRAM.
#pragma once

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

/// Element addresses. An array holds [slots][T] bf16; all arrays lie a multiple of T apart, so that one weight index
/// reaches any array above the base of the kernel that reads it (ones, residual). Addresses mean something only if
/// `end` is within the SRAM.
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
  int loss_scale, gelu_scratch, stats, probs, dprobs;
  // Scratch arrays, shared by all layers.
  int ln_out, delta, delta_scaled, logits, gelu, dgelu, dheads, dq, dk, dv;
  std::vector<Layer> layers;
  int xhat_final, rstd_final;
  int residual, dresidual, ones;
  std::int64_t end = 0;  ///< elements used

  struct Use {
    std::string name;
    std::int64_t elements;
  };
  std::vector<Use> uses;  ///< adds up to `end`
  /// Bytes by use, as a table.
  std::string map(const WaferShape& wafer) const;

 private:
  int take(const std::string& use, std::int64_t elements, int align);
};

}  // namespace weft
