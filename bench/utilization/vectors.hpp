/// AXPY, DOT, GEMV and GEMM on vectors in one tile's memory (vector_kernels.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/common/work.hpp"
#include "sw/asm/assembler.hpp"

namespace weft::bench {

enum class Operation { Axpy, Dot, Gemv, Gemm };
/// Location of the next vector: after the last one; at a random address from a list; or given by a stream of indices
/// (only GEMV).
enum class Order { Contiguous, Listed, Streamed };

struct VectorJob {
  Operation operation = Operation::Axpy;
  Order order = Order::Contiguous;
  int elements = 1024, vectors = 16;
  bool halves = true;  ///< vectors in the lower half of memory, the other operand in the upper half
};

/// A one-tile wafer whose memory is filled with numbers.
class VectorTile {
 public:
  /// `wafer` must be 1 x 1. Throws std::invalid_argument if the job does not fit its memory or R.
  VectorTile(Wafer& wafer, const VectorJob& job);
  /// Processes the first `vectors` vectors of the job, from R = 0.
  Work run(int vectors);
  /// Compares memory and R with a reference, element by element. Throws std::runtime_error if they differ.
  void check(int vectors) const;

 private:
  void send(const std::vector<machine::Message>& messages);
  void store(int address, const std::vector<std::uint16_t>& values);
  int vector_at(int which) const { return places_[static_cast<std::size_t>(which)]; }

  Wafer& wafer_;
  VectorJob job_;
  int lanes_, other_, list_;  ///< addresses of y or the scalars, and of the list
  assembler::Program program_;
  std::vector<int> places_;            ///< addresses of the vectors, in order
  std::vector<std::uint16_t> memory_;  ///< contents before run()
};

}  // namespace weft::bench
