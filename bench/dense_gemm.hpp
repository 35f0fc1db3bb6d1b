/// The compiler's GEMM kernel alone: every row has `per_row` features, every output a weight for each of them.
#pragma once

#include <vector>

#include "bench/work.hpp"
#include "verif/message.hpp"
#include "verif/wafer.hpp"

namespace weft::bench {

class DenseGemm {
 public:
  /// `tokens` of a column, `outputs` of the whole wafer. Throws std::invalid_argument if it does not fit the SRAM.
  DenseGemm(const WaferShape& wafer, int per_row, int tokens, int outputs);

  /// Routes, program, random inputs; once for each wafer.
  void load(Wafer& wafer) const;
  /// From the first command to rest. May be repeated.
  Work run(Wafer& wafer) const;

  const WaferShape shape;
  const int per_row, tokens, outputs;

 private:
  std::vector<Message> load_, stream_;
};

}  // namespace weft::bench
