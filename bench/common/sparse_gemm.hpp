/// The compiler's GEMM kernel alone, on random numbers.
#pragma once

#include <functional>
#include <vector>

#include "bench/common/work.hpp"
#include "sw/machine/message.hpp"
#include "verif/wafer.hpp"

namespace weft::bench {

/// Inputs of a row (0..inputs-1, ascending) that have a weight for an output.
using NonZeros = std::function<std::vector<int>(int output, int row)>;

/// A GEMM with `inputs` features in every row, `tokens` per column, and `outputs` in total.
class SparseGemm {
 public:
  /// Throws std::invalid_argument if it does not fit the SRAM.
  SparseGemm(const machine::WaferShape& wafer, int inputs, int tokens, int outputs, const NonZeros& non_zeros);

  /// Loads routes, program and random inputs; call once for each wafer.
  void load(Wafer& wafer) const;
  /// Runs from the first command to rest. May be repeated.
  Work run(Wafer& wafer) const;

  const machine::WaferShape shape;
  const int inputs, tokens, outputs;
  std::uint64_t weights() const { return weights_; }  ///< number of weights streamed

 private:
  std::uint64_t weights_ = 0;
  std::vector<machine::Message> load_, stream_;
};

}  // namespace weft::bench
