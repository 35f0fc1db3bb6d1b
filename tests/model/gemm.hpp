/// A sparse GEMM: its program, its stream, and a plain evaluation in the order docs/numbers.md gives.
#pragma once

#include <gtest/gtest.h>

#include <random>

#include "tests/model/rig.hpp"
#include "verif/model/numbers.hpp"

namespace weft {

/// r1: outputs, r2: x, r3: y of this row's home outputs. Output o has home o mod ROWS; sums start south of it.
inline constexpr std::string_view kGemm = R"(
        .equ ACC, 0
        .equ PART, 128
gemm:   li   r4, BEATS
        csrw VL, r4
        li   r4, TOKENS
        csrw STA, r4
        li   r4, LMASK_
        csrw LMASK, r4
        li   r5, ACC
        li   r6, PART
        mvp  r1, r1
        mvp  r2, r3
        mvp  r6, r6
        fork ring
next:   vaxs R[r5], M[r2]
        vcr  R[r6], R[r5]
        dbnz r1, next
        join
        halt

ring:   li   r4, BEATS
        csrw VL, r4
        csrr r7, ROW
        csrr r8, ROWS
        li   r9, 0              ; home of the next output
again:  beq  r9, r7, home
        addi r10, r9, 1         ; the first row of the sum
        bne  r10, r8, nowrap
        li   r10, 0
nowrap: beq  r10, r7, first
        vs.add in=RING, own=Q[r6], out=RING
        jmp  step
first:  vs.mov own=Q[r6], out=RING
        jmp  step
home:   vs.add in=RING, own=Q[r6], dst=M[r2]
        addi r2, r2, TOKENS
step:   addi r9, r9, 1
        bne  r9, r8, more
        li   r9, 0
more:   dbnz r1, again
        halt
)";

struct Gemm {
  WaferShape shape;
  int tokens, inputs, outputs;  // inputs of a row
  std::vector<Message> stream;
  std::vector<std::vector<std::uint16_t>> x;  // [row * cols + col][input * tokens + token]
  std::vector<std::vector<std::uint16_t>> y;  // [row * cols + col][output / rows * tokens + token]

  Gemm(const WaferShape& s, int t, int in, int out, double density, unsigned seed, bool evaluate = true)
      : shape(s), tokens(t), inputs(in), outputs(out) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    const auto bf = [&] { return to_bf16(as_bits(normal(random))); };
    x.resize(shape.rows * shape.cols);
    y.resize(shape.rows * shape.cols);
    for (auto& v : x)
      for (int i = 0; i < inputs * tokens; ++i) v.push_back(bf());
    std::bernoulli_distribution keep(density);
    for (int o = 0; o < outputs; ++o) {
      std::vector<std::vector<std::pair<int, bf16>>> weights(shape.rows);
      for (int row = 0; row < shape.rows; ++row)
        for (int i = 0; i < inputs; ++i)
          if (keep(random)) weights[row].emplace_back(i, bf());
      for (int row = 0; row < shape.rows; ++row)
        for (const auto& [i, w] : weights[row])
          stream.push_back(Message::weight(static_cast<std::uint16_t>(row << shape.row_shift() | i), w));
      stream.push_back(Message::command(Command::CR, 0, 0));
      if (evaluate) expect(o, weights);
    }
  }

  void expect(int o, const std::vector<std::vector<std::pair<int, bf16>>>& weights) {
    const int home = o % shape.rows;
    for (int col = 0; col < shape.cols; ++col)
      for (int t = 0; t < tokens; ++t) {
        std::uint32_t sum = 0;
        for (int step = 1; step <= shape.rows; ++step) {
          const int row = (home + step) % shape.rows;
          std::uint32_t acc = 0;
          for (const auto& [i, w] : weights[row]) acc = fma_bits(x[row * shape.cols + col][i * tokens + t], w, acc);
          sum = step == 1 ? acc : add_bits(sum, acc);
        }
        y[home * shape.cols + col].push_back(to_bf16(sum));
      }
  }

  void load(Rig& rig) const {
    rig.load(kGemm, {{"TOKENS", tokens}, {"BEATS", tokens / shape.lanes}, {"LMASK_", (1 << shape.row_shift()) - 1}});
    for (int row = 0; row < shape.rows; ++row)
      for (int col = 0; col < shape.cols; ++col) rig.store(row, col, 0, x[row * shape.cols + col]);
    rig.reg(1, outputs).reg(2, 0).reg(3, inputs * tokens).call("gemm");
  }

  void check(const Rig& rig) const {
    for (int row = 0; row < shape.rows; ++row)
      for (int col = 0; col < shape.cols; ++col) {
        const auto m = rig.wafer->sram(row, col);
        const auto& expected = y[row * shape.cols + col];
        const std::vector<std::uint16_t> got(m.begin() + inputs * tokens,
                                             m.begin() + inputs * tokens + expected.size());
        EXPECT_EQ(got, expected) << "row " << row << " column " << col;
      }
    EXPECT_EQ(rig.wafer->flags(), "");
  }
};

}  // namespace weft
