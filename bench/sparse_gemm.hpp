/// The compiler's GEMM kernel alone, on random numbers.
#pragma once

#include <functional>
#include <vector>

#include "bench/work.hpp"
#include "sw/machine/message.hpp"
#include "verif/wafer.hpp"

namespace weft::bench {

/// The inputs of a row (0..inputs-1, rising) that have a weight for an output.
using NonZeros = std::function<std::vector<int>(int output, int row)>;

/// Every row has `inputs` features; `tokens` of a column, `outputs` of the whole wafer.
class SparseGemm {
 public:
  /// Throws std::invalid_argument if it does not fit the SRAM.
  SparseGemm(const WaferShape& wafer, int inputs, int tokens, int outputs, const NonZeros& non_zeros);

  /// Routes, program, random inputs; once for each wafer.
  void load(Wafer& wafer) const;
  /// From the first command to rest. May be repeated.
  Work run(Wafer& wafer) const;

  const WaferShape shape;
  const int inputs, tokens, outputs;
  std::uint64_t weights() const { return weights_; }  ///< streamed

 private:
  std::uint64_t weights_ = 0;
  std::vector<Message> load_, stream_;
};

}  // namespace weft::bench
