/// The vector kernels of `weft-bench figure3` give the results of an element-wise loop, on the model and on the RTL.
#include "bench/utilization/vectors.hpp"

#include <gtest/gtest.h>

namespace weft::bench {
namespace {

constexpr Operation kAll[] = {Operation::Axpy, Operation::Dot, Operation::Gemv, Operation::Gemm};

void check(std::unique_ptr<Wafer> wafer, const VectorJob& job) {
  SCOPED_TRACE(std::to_string(static_cast<int>(job.operation)) + ", order " +
               std::to_string(static_cast<int>(job.order)) + ", " + std::to_string(job.vectors) + " of " +
               std::to_string(job.elements) + (job.halves ? "" : ", one half"));
  VectorTile tile(*wafer, job);
  tile.run(job.vectors);
  EXPECT_NO_THROW(tile.check(job.vectors));
}

TEST(Vectors, GiveWhatElementAfterElementGives) {
  for (const int lanes : {2, 4, 8}) {
    const machine::WaferShape shape{.rows = 1, .cols = 1, .lanes = lanes, .sram_kib = 48};
    for (const Operation operation : kAll)
      for (const Order order : {Order::Contiguous, Order::Listed})
        for (const bool halves : {true, false})
          for (const auto& [elements, vectors] : {std::pair{8 * lanes, 16}, {16 * lanes, 3}, {40 * lanes, 7}}) {
            const VectorJob job{operation, order, elements, vectors, halves};
            check(make_model_wafer(shape), job);
            if (lanes == 4) check(make_rtl_wafer(shape), job);
          }
  }
}

TEST(Vectors, StreamedIndicesAreTheSame) {
  const machine::WaferShape shape{.rows = 1, .cols = 1, .sram_kib = 48};
  for (const int vectors : {1, 5, 16}) {
    const VectorJob job{Operation::Gemv, Order::Streamed, 256, vectors, true};
    check(make_model_wafer(shape), job);
    check(make_rtl_wafer(shape), job);
  }
}

/// A second operand in the other half of memory takes no extra cycle; in the same half it takes one for each entry or
/// for each vector.
TEST(Vectors, BothHalvesReadAtOnce) {
  const machine::WaferShape shape{.rows = 1, .cols = 1, .sram_kib = 48};
  const auto cycles = [&](Operation operation, bool halves) {
    const VectorJob job{operation, Order::Contiguous, 256, 8, halves};
    const auto wafer = make_rtl_wafer(shape);
    return VectorTile(*wafer, job).run(8).done.cycles;
  };
  constexpr std::uint64_t kEntries = 8 * 256 / 4;
  EXPECT_EQ(cycles(Operation::Axpy, false) - cycles(Operation::Axpy, true), kEntries);
  EXPECT_EQ(cycles(Operation::Dot, false) - cycles(Operation::Dot, true), kEntries);
  EXPECT_EQ(cycles(Operation::Gemv, false) - cycles(Operation::Gemv, true), 8U);
}

TEST(Vectors, AJobThatDoesNotFitIsRefused) {
  const auto wafer = make_model_wafer({.rows = 1, .cols = 1, .sram_kib = 48});
  EXPECT_THROW(VectorTile(*wafer, {.vectors = 17}), std::invalid_argument);
  EXPECT_THROW(VectorTile(*wafer, {.elements = 1020}), std::invalid_argument);
  EXPECT_THROW(VectorTile(*wafer, {.operation = Operation::Gemm}), std::invalid_argument);
}

}  // namespace
}  // namespace weft::bench
