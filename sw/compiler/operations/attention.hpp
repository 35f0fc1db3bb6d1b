/// Lowering of attention: with scores in memory (attention.cpp), and with rows that share the keys
/// (attention_shared.cpp).
#pragma once

#include <cmath>
#include <string_view>
#include <vector>

#include "sw/base/bf16.hpp"
#include "sw/compiler/lower/lower.hpp"
#include "sw/compiler/lower/shared_overlaps.hpp"

namespace weft::compiler {

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
  std::vector<HeadCall> stored_input_gradient(const network::NetworkOperation& from) const;
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
  /// Mixes the numbers of queries for an operation that drops weights.
  void mix(OpBuilder& builder, const network::NetworkOperation& from) const;
  /// Drops elements of a matrix: P, or dP.
  HeadCall dropped(const network::NetworkOperation& from, int matrix) const;
  /// The argument of one column's kernels: 1 if blocks of keys get narrower.
  std::vector<Argument> narrower(const network::NetworkOperation& from) const;
  /// dS at dprobs, from P at probs; after which P has the dropped weights.
  std::vector<HeadCall> derivatives(const network::NetworkOperation& from) const;
  /// P, and later dS, in the lower layout at the place of P, at the end of SRAM. Vectors that are multiplied with their
  /// rows are in the lower half of SRAM, as dS is.
  HeadCall p_to_lower() const;
  HeadCall ds_to_lower() const;
  /// 1 / sqrt(features of a head).
  static std::uint16_t score_scale(const ModelShape& model) {
    return nearest_bf16(1 / std::sqrt(static_cast<double>(model.hidden) / model.heads));
  }
};

}  // namespace weft::compiler
