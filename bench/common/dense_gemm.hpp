/// A GEMM with a weight for every input of every output.
#pragma once

#include <numeric>

#include "bench/common/sparse_gemm.hpp"

namespace weft::bench {

class DenseGemm : public SparseGemm {
 public:
  /// `per_row`: inputs per row. Throws std::invalid_argument if it does not fit the SRAM.
  DenseGemm(const machine::WaferShape& wafer, int per_row, int tokens, int outputs)
      : SparseGemm(wafer, per_row, tokens, outputs, [per_row](int, int) {
          std::vector<int> all(static_cast<std::size_t>(per_row));
          std::iota(all.begin(), all.end(), 0);
          return all;
        }) {}
};

}  // namespace weft::bench
