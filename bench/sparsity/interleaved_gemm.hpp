/// A GEMM with an unstructured random mask, whose inputs are interleaved over rows as the compiler interleaves
/// features.
#pragma once

#include "bench/common/sparse_gemm.hpp"

namespace weft::bench {

/// Creates a GEMM with `inputs` per row, `tokens` per column, and `outputs` in total. A fraction `sparsity` of the
/// weights is zero, scattered over the whole matrix, and inputs with many non-zero weights are spread over different
/// rows. Throws std::invalid_argument if it does not fit.
SparseGemm interleaved_gemm(const machine::WaferShape& wafer, int inputs, int tokens, int outputs, double sparsity);

}  // namespace weft::bench
