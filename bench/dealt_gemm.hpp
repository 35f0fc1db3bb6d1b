/// A GEMM with an unstructured random mask, its inputs dealt to rows as the compiler deals features.
#pragma once

#include "bench/sparse_gemm.hpp"

namespace weft::bench {

/// `inputs` of each row, `tokens` of a column, `outputs` of the wafer; `sparsity` of the weights are zero, scattered
/// over the whole matrix, and inputs with many others lie on different rows. Throws std::invalid_argument if it does
/// not fit.
SparseGemm dealt_gemm(const WaferShape& wafer, int inputs, int tokens, int outputs, double sparsity);

}  // namespace weft::bench
