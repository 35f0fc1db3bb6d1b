/// What the tests of instructions on streams share.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "tests/pe/tile_grid.hpp"
#include "tests/pe/tile_reference.hpp"

namespace weft::test {

using Words = std::vector<std::uint32_t>;

/// Sets a control register, by r9.
inline std::string csr(const char* name, int value) {
  return "li r9, " + std::to_string(value) + "\n csrw " + name + ", r9\n";
}

/// Random values in the first elements of a tile's memory.
inline void fill(TileGrid& g, std::mt19937& rng, int elements, int row = 0, int col = 0) {
  for (int i = 0; i < elements; ++i) g.poke(i, random_bf16(rng), row, col);
}

/// A GEMM on a column of two. Its outputs live in row 1, at M[4096] on: row 0 starts each sum, row 1 ends it.
inline std::string gemm_of_two_rows(int vl, int outputs) {
  return csr("VL", vl) + csr("STA", 4 * vl) + csr("LMASK", 0x3f) + R"(
    li   r5, 16
    li   r6, )" +
         std::to_string(outputs) + R"(
    csrr r4, ROW
    mvp  r4, r4
    mvp  r5, r5
    mvp  r6, r6
    mvp  r9, r9
    fork P
L:  vaxs R[r0], M[r0]
    vcr  R[r5], R[r0]
    dbnz r6, L
    join
    halt
P:  li   r9, )" +
         std::to_string(vl) + R"(
    csrw VL, r9
    li   r7, 4096
    bne  r4, r0, H
N:  vs.mov own=Q[r5], out=RING
    dbnz r6, N
    halt
H:  vs.add in=RING, own=Q[r5], dst=M[r7]
    addi r7, r7, )" +
         std::to_string(4 * vl) + R"(
    dbnz r6, H
    halt)";
}

/// Calls it in both rows and queues `weights` weights of 1.0 for each output and row.
inline void call_gemm_of_two_rows(TileGrid& g, int outputs, int weights) {
  for (int r = 0; r < 2; ++r) {
    g.call(0, r);
    for (int o = 0; o < outputs; ++o) {
      for (int n = 0; n < weights; ++n) g.weight(r, static_cast<std::uint16_t>(n), 0x3f80);
      g.cr(r);
    }
  }
}

}  // namespace weft::test
