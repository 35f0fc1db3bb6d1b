/// AXPY, DOT, GEMV and GEMM on vectors in one tile's memory (vector_kernels.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/work.hpp"
#include "sw/asm/assembler.hpp"

namespace weft::bench {

enum class Operation { Axpy, Dot, Gemv, Gemm };
/// Where the next vector is: behind the last one; where a list says, at random; where a stream of indices says (only
/// GEMV).
enum class Order { Contiguous, Listed, Streamed };

struct VectorJob {
  Operation operation = Operation::Axpy;
  Order order = Order::Contiguous;
  int elements = 1024, vectors = 16;
  bool halves = true;  ///< the other operand is in the upper half of memory, the vectors are in the lower
};

/// A wafer of one tile whose memory is full of numbers.
class VectorTile {
 public:
  /// `wafer`: 1 x 1. Throws std::invalid_argument if the job does not fit its memory or R.
  VectorTile(Wafer& wafer, const VectorJob& job);
  /// Does the first `vectors` of the job's, from R = 0.
  Work run(int vectors);
  /// Memory and R are what the operations give, one element after the other. Throws std::runtime_error if not.
  void check(int vectors) const;

 private:
  void send(const std::vector<Message>& messages);
  void store(int address, const std::vector<std::uint16_t>& values);
  int vector_at(int which) const { return places_[static_cast<std::size_t>(which)]; }

  Wafer& wafer_;
  VectorJob job_;
  int lanes_, other_, list_;  ///< addresses: y or the scalars; the list
  Program program_;
  std::vector<int> places_;            ///< of the vectors, in their order
  std::vector<std::uint16_t> memory_;  ///< before run()
};

}  // namespace weft::bench
