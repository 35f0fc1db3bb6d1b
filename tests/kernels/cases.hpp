/// The shapes every kernel is tested with.
#pragma once

#include <gtest/gtest.h>

#include <ostream>

#include "tests/kernels/stage.hpp"

namespace weft::kernels {

struct Case {
  const char* name;
  compiler::ModelShape model;
  machine::WaferShape wafer;
  int sequences;  ///< sequences of a micro-batch; the rest of model.micro_batch is padding
};

inline std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }

inline Case square() {
  compiler::ModelShape m;
  m.vocab = 30, m.hidden = 32, m.layers = 1, m.heads = 4, m.filter = 48, m.seq = 16, m.micro_batch = 4;
  return {"square", m, {.rows = 4, .cols = 4, .psum_cycles = 4}, 4};
}

/// No size divides another; row 0 has two heads and row 1 one; two sequences a column, but only one in the last column.
inline Case oblong() {
  compiler::ModelShape m;
  m.vocab = 21, m.hidden = 24, m.layers = 2, m.heads = 3, m.filter = 19, m.seq = 8, m.micro_batch = 6, m.tied = false;
  return {"oblong_untied", m, {.rows = 2, .cols = 3}, 5};
}

/// Each head is spread over two rows, the fifth row has none; sequences are padded; the second column is empty.
inline Case spread() {
  compiler::ModelShape m;
  m.vocab = 13, m.hidden = 24, m.layers = 1, m.heads = 2, m.filter = 31, m.seq = 13, m.micro_batch = 2;
  m.ln_eps = 0.05F;  // large enough to matter
  return {"spread_heads", m, {.rows = 5, .cols = 2, .valves = 3}, 1};
}

inline Case one_tile() {
  compiler::ModelShape m;
  m.vocab = 7, m.hidden = 8, m.layers = 1, m.heads = 2, m.filter = 5, m.seq = 6, m.micro_batch = 1;
  return {"one_tile", m, {.rows = 1, .cols = 1}, 1};
}

/// Eight lanes: a sequence of 13 is two beats; the second column has one sequence less.
inline Case eight_lanes() {
  compiler::ModelShape m;
  m.vocab = 19, m.hidden = 24, m.layers = 1, m.heads = 3, m.filter = 21, m.seq = 13, m.micro_batch = 4;
  return {"eight_lanes", m, {.rows = 2, .cols = 2, .lanes = 8}, 3};
}

/// Two lanes, and heads spread over the rows.
inline Case two_lanes() {
  compiler::ModelShape m;
  m.vocab = 11, m.hidden = 12, m.layers = 1, m.heads = 2, m.filter = 9, m.seq = 5, m.micro_batch = 2, m.tied = false;
  return {"two_lanes", m, {.rows = 4, .cols = 1, .lanes = 2}, 2};
}

/// Labels are smoothed; the second column of the last row has no vocabulary.
inline Case smoothed() {
  compiler::ModelShape m;
  m.vocab = 11, m.hidden = 24, m.layers = 1, m.heads = 2, m.filter = 17, m.seq = 13, m.micro_batch = 2;
  m.label_smoothing = 0.1F;
  return {"smoothed_labels", m, {.rows = 3, .cols = 2}, 1};
}

/// A sequence so long that the features of a head do not fit the accumulator file together: 8, 8 and 6.
inline Case long_sequence() {
  compiler::ModelShape m;
  m.vocab = 9, m.hidden = 22, m.layers = 1, m.heads = 1, m.filter = 7, m.seq = 99, m.micro_batch = 1;
  return {"long_sequence", m, {.rows = 1, .cols = 1, .sram_kib = 128}, 1};
}

/// A test with a stage. Use with WEFT_KERNEL_CASES.
class KernelTest : public testing::TestWithParam<Case> {
 protected:
  Gpt2Stage stage{GetParam().model, GetParam().wafer, GetParam().sequences};
};

}  // namespace weft::kernels

#define WEFT_KERNEL_CASES(suite)                                                                              \
  INSTANTIATE_TEST_SUITE_P(                                                                                   \
      Shapes, suite,                                                                                          \
      testing::Values(square(), oblong(), spread(), one_tile(), eight_lanes(), two_lanes(), long_sequence()), \
      [](const auto& info) { return std::string(info.param.name); })
