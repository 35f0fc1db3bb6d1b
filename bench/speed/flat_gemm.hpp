/// The GEMM run by both the replicated and the flat wafer. The flat one is built for this shape (flat.cmake).
#pragma once

#include "bench/common/dense_gemm.hpp"

namespace weft::bench {

inline DenseGemm flat_gemm() { return {{.rows = 8, .cols = 8, .valves = 2}, 64, 32, 128}; }

}  // namespace weft::bench
