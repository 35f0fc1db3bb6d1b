/// A slice of GPT-3 XL on a mesh that the RTL simulates, with what a tile of 850 x 1000 has.
#pragma once

#include "sw/compiler/plan/plan.hpp"

namespace weft::bench {

/// One layer of GPT-3 XL on `rows` x `cols` tiles, with the mapping that `auto` chooses for
/// configs/params_gpt3_xl_pile.yaml: two groups of rows, a valve for each row, and in a column two sequences with 24
/// tokens each. A row has the features of XL's (4.8 of the residual stream, 19.3 of the filter), and the layer's part of
/// the vocabulary. The differences: a head lies over all rows of a group instead of 26 of 425, and a sequence over an
/// eighth of the columns instead of 86, so that attention's part of a layer's multiply-adds is a tenth; that of XL is a
/// twelfth. No column is left free, where XL leaves 54 of 1,000.
compiler::Plan xl_slice(int rows, int cols);

/// Cycles of a micro-batch on the RTL, without pauses between ops, and as compile_only estimates them.
struct SliceCycles {
  double rtl = 0, estimated = 0;
};
SliceCycles slice_cycles(const compiler::Plan& plan);

}  // namespace weft::bench
