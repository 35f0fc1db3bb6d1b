/// The heads and sequences that one call of an attention kernel works on.
#pragma once

#include <cmath>
#include <vector>

#include "tests/kernels/stage.hpp"
#include "tests/reference/gpt.hpp"

namespace weft::kernels {

/// One head and one sequence of a column. Matrices of tokens are read from the scratch memory of each of `rows`.
struct HeadOfSequence {
  int head, column, first;  ///< first: the sequence's first token, as an index of Array
  std::vector<int> rows;    ///< the head's features lie here
};

/// Numbers of calls of each kernel in a plan: heads of the fullest row, sequences of a column.
inline int head_calls(const Gpt2Stage& s) {
  const compiler::ModelShape& m = s.plan.model;
  const bool spread = compiler::rows_per_head(m.heads, m.hidden / m.heads, s.plan.wafer.rows) > 1;
  return spread ? 1 : (m.heads + s.plan.wafer.rows - 1) / s.plan.wafer.rows;
}

/// All heads and sequences in the call for head `n` of each row and sequence `sequence` of each column.
inline std::vector<HeadOfSequence> heads_of_call(const Gpt2Stage& s, int n, int sequence) {
  const compiler::ModelShape& m = s.plan.model;
  const int dim = m.hidden / m.heads, rows = s.plan.wafer.rows, spread = compiler::rows_per_head(m.heads, dim, rows);
  std::vector<HeadOfSequence> list;
  for (int column = 0; column < s.plan.wafer.cols; ++column) {
    for (int head = 0; head < m.heads; ++head) {
      if (spread == 1 && head / rows != n) continue;
      HeadOfSequence h{head, column, column * s.plan.tokens_per_column + sequence * s.plan.padded_seq, {}};
      for (int r = 0; r < (spread == 1 ? 1 : spread); ++r)
        h.rows.push_back(spread == 1 ? head % rows : head * spread + r);
      list.push_back(h);
    }
  }
  return list;
}

/// A matrix of queries by keys. The upper layout keeps [key][query], the lower [query][key].
enum class Layout { Upper, Lower };
inline int score_address(const Gpt2Stage& s, int base, Layout layout, int query, int key) {
  return base + (layout == Layout::Upper ? key * s.plan.padded_seq + query : query * s.plan.padded_seq + key);
}

/// sum over a head's features of a[i] * b[j]; `size` gets the sum of magnitudes.
inline double head_dot(const Gpt2Stage& s, const HeadOfSequence& h, const Array& a, int i, const Array& b, int j) {
  const int dim = s.plan.model.hidden / s.plan.model.heads;
  double sum = 0;
  for (int f = h.head * dim; f < (h.head + 1) * dim; ++f) sum += a.at(h.first + i, f) * b.at(h.first + j, f);
  return sum;
}

/// 1/sqrt(features of a head), rounded as in the kernels.
inline double attention_scale(const Gpt2Stage& s) {
  return reference::round_to_bf16(
      static_cast<float>(1 / std::sqrt(static_cast<double>(s.plan.model.hidden) / s.plan.model.heads)));
}

}  // namespace weft::kernels
